// Expressions: values, places of errors, and limits.
#include "texts.h"

#include <stdlib.h>

#include "scene/expression.h"

static cri_constant rows[] = {{.name = "hole_x", .value = 2.5},
                              {.name = "distance", .value = 1.5},
                              {.name = "pier", .value = 7}};
static const cri_constants constants = {rows, 3};

static double value(const char *text)
{
    double result = -1;
    cri_expression_error error;
    if (!cri_expression(text, &constants, &result, &error)) {
        fail_msg("%s: %s", text, error.message);
    }
    return result;
}

static void expect_error(const char *text, int offset, const char *message)
{
    double result = 42;
    cri_expression_error error;
    assert_false(cri_expression(text, &constants, &result, &error));
    assert_true(result == 42);
    assert_string_equal(error.message, message);
    assert_int_equal(error.offset, offset);
    assert_int_not_equal(error.status, CR_OK);
}

static void numbers(void **state)
{
    (void)state;
    assert_true(value("1.5") == 1.5);
    assert_true(value(" 1e-3 ") == 1e-3);
    assert_true(value("1E+3") == 1000);
    assert_true(value(".5") == 0.5);
    assert_true(value("5.") == 5);
    assert_true(value("0.1") == 0.1);
    assert_true(value("-0.0215") == -0.0215);
    assert_true(value("- - 2") == 2);
    assert_true(value("+3") == 3);
}

static void operators(void **state)
{
    (void)state;
    assert_true(value("1 + 2 * 3") == 7);
    assert_true(value("(1 + 2) * 3") == 9);
    assert_true(value("8 / 4 / 2") == 1);
    assert_true(value("8 - 4 - 2") == 2);
    assert_true(value("2*-3") == -6);
    assert_true(value("hole_x - distance") == 1);
    assert_true(value("-distance/2 - 0.35") == -1.5 / 2 - 0.35);
    assert_true(value("pier") == 7);
}

static void angles(void **state)
{
    (void)state;
    expect_close(value("90 deg"), 1.5707963267948966, 1e-15);
    expect_close(value("-90deg"), -1.5707963267948966, 1e-15);
    expect_close(value("-2 * pi / 3"), -2.0943951023931953, 1e-15);
    expect_close(value("(60 + 30) deg"), 1.5707963267948966, 1e-15);
    expect_close(value("360 deg / 5"), 1.2566370614359172, 1e-15);
}

static void errors_have_places(void **state)
{
    (void)state;
    expect_error("", 0, "a number is missing");
    expect_error("1 +", 3, "a number is missing");
    expect_error("1 + * 2", 4, "a number is missing before \"* 2\"");
    expect_error("1 2", 2, "an operator is missing before \"2\"");
    expect_error("(1 + 2", 0, "\"(\" without \")\"");
    expect_error("1)", 1, "an operator is missing before \")\"");
    expect_error("1 + hole_y", 4, "unknown name \"hole_y\"; did you mean \"hole_x\"?");
    expect_error("nan", 0, "unknown name \"nan\"");
    expect_error("1 / (2 - 2)", 4, "division by zero");
    expect_error("1e400", 0, "the number is too large");
    expect_error("1e300 * 1e300", 0, "the number is too large");
    expect_error("0x10", 0, "\"0x10\" is not a number");
    expect_error("1.2.3", 0, "\"1.2.3\" is not a number");
    expect_error(".", 0, "\".\" is not a number");
    expect_error("3 rad", 2, "an operator is missing before \"rad\"");
}

// As deep as is allowed works; one hundred thousand levels are refused, not run.
static void depth_is_limited(void **state)
{
    (void)state;
    enum { DEEP = 100000 };
    char *text = malloc(DEEP + 2);
    assert_non_null(text);
    const char opening[] = "(-+";
    for (int i = 0; i < 3; i++) {
        memset(text, opening[i], DEEP);
        strcpy(text + DEEP, "1");
        double result;
        cri_expression_error error;
        assert_false(cri_expression(text, &constants, &result, &error));
        assert_string_equal(error.message, "an expression is nested more than 64 deep");
    }
    free(text);
    assert_true(value("((((((((((((((((1))))))))))))))))") == 1);
}

static void names(void **state)
{
    (void)state;
    assert_true(cri_expression_is_name("hole_x2"));
    assert_false(cri_expression_is_name("2x"));
    assert_false(cri_expression_is_name("pi"));
    assert_false(cri_expression_is_name("deg"));
    assert_false(cri_expression_is_name("a-b"));
    assert_false(cri_expression_is_name(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),          cmocka_unit_test(operators),
        cmocka_unit_test(angles),           cmocka_unit_test(errors_have_places),
        cmocka_unit_test(depth_is_limited), cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
