// URDF, SRDF and MoveIt files: what is wrong is named with its place; the Panda of the reference
// data loads and plans.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/vec.h"
#include "carom/carom.h"
#include "reach/arm.h"
#include "reach/checker.h"
#include "reach/moveit.h"

// A two-joint arm: pole, arm, hand, with a ball in the hand.
#define HEAD "<robot name='two'><link name='pole'/><link name='arm'/>"
#define HAND                                                                                       \
    "<link name='hand'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
#define TURN                                                                                       \
    "<joint name='turn' type='revolute'><parent link='pole'/><child link='arm'/>"                  \
    "<axis xyz='0 0 1'/><limit lower='-2' upper='2'/></joint>"
#define PUSH                                                                                       \
    "<joint name='push' type='prismatic'><parent link='arm'/><child link='hand'/>"                 \
    "<origin xyz='0.5 0 0'/><axis xyz='1 0 0'/><limit lower='0' upper='0.4'/></joint>"
#define TWO_JOINTS HEAD HAND TURN PUSH "</robot>"

static cr_status parse(const char *urdf, const char *srdf, cr_arm **arm, cr_report *report)
{
    cr_arm_text text = {urdf, srdf, strlen(urdf), srdf ? strlen(srdf) : 0, "t.urdf", "t.srdf"};
    return cr_arm_parse(&text, arm, report);
}

// The first error must hold the words, and have a place.
static void expect_error(const char *urdf, const char *srdf, const char *words)
{
    cr_arm *arm;
    cr_report report = {0};
    assert_int_not_equal(parse(urdf, srdf, &arm, &report), CR_OK);
    assert_null(arm);
    assert_true(report.count > 0);
    if (!strstr(report.errors[0].message, words)) {
        fail_msg("\"%s\" does not say \"%s\"", report.errors[0].message, words);
    }
    assert_true(report.errors[0].line > 0);
}

static void test_small_arm_moves(void **state)
{
    (void)state;
    cr_arm *arm;
    assert_int_equal(parse(TWO_JOINTS, NULL, &arm, NULL), CR_OK);
    assert_int_equal(cr_arm_dof_count(arm), 2);
    assert_string_equal(cr_arm_link_name(arm, cr_arm_tip(arm)), "hand");
    const double q[2] = {1.5707963267948966, 0.25};
    cr_vec3 p = cr_arm_link_pose(arm, q, cr_arm_tip(arm)).position;
    assert_true(cri_length(cri_sub(p, cri_vec3(0, 0.75, 0))) < 1e-12);
    cr_arm_destroy(arm);
}

static void test_mimic_follows(void **state)
{
    (void)state;
    cr_arm *arm;
    const char *urdf = HEAD HAND TURN
        "<joint name='follow' type='revolute'><parent link='arm'/><child link='hand'/>"
        "<origin xyz='1 0 0'/><axis xyz='0 0 1'/><mimic joint='turn' multiplier='-1'/></joint>"
        "<link name='tip'/><joint name='end' type='fixed'><parent link='hand'/><child link='tip'/>"
        "<origin xyz='1 0 0'/></joint></robot>";
    assert_int_equal(parse(urdf, NULL, &arm, NULL), CR_OK);
    assert_int_equal(cr_arm_dof_count(arm), 1);
    const double q[1] = {1.0};
    cr_vec3 p = cr_arm_link_pose(arm, q, cr_arm_tip(arm)).position;
    assert_true(cri_length(cri_sub(p, cri_vec3(1 + cos(1.0), sin(1.0), 0))) < 1e-12);
    cr_arm_destroy(arm);
}

static void test_bad_robots_are_named(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"<robot", "not well-formed"},
        {"<!DOCTYPE r [<!ENTITY a 'b'>]><robot name='&a;'/>", "document type"},
        {"<cat/>", "starts with <robot>"},
        {"<robot name='x'/>", "no links"},
        {HEAD "</robot>", "both have no parent"},
        {HEAD HAND TURN PUSH "<link name='arm'/></robot>", "two links \"arm\""},
        {HEAD HAND TURN PUSH "<joint name='back' type='fixed'><parent link='hand'/><child "
                             "link='pole'/></joint></robot>",
         "make a loop"},
        {HEAD HAND TURN PUSH
         "<link name='a'/><link name='b'/><joint name='p' type='fixed'><parent link='a'/><child "
         "link='b'/></joint><joint name='q' type='fixed'><parent link='b'/><child "
         "link='a'/></joint></robot>",
         "make a loop"},
        {HEAD HAND TURN PUSH "<joint name='more' type='fixed'><parent link='pole'/><child "
                             "link='hand'/></joint></robot>",
         "two parents"},
        {HEAD HAND TURN
         "<joint name='push' type='prismatic'><parent link='arm'/><child link='hand'/><limit "
         "lower='1' upper='-1'/></joint></robot>",
         "lower <= upper, got 1 and -1"},
        {HEAD HAND TURN "<joint name='push' type='prismatic'><parent link='arm'/><child "
                        "link='hand'/></joint></robot>",
         "needs a <limit>"},
        {HEAD HAND TURN "<joint name='push' type='floating'><parent link='arm'/><child "
                        "link='hand'/></joint></robot>",
         "type must be revolute"},
        {HEAD HAND TURN
         "<joint name='push' type='fixed'><parent link='arn'/><child link='hand'/></joint></robot>",
         "did you mean \"arm\""},
        {HEAD
         "<link name='hand'><collision><geometry><blob size='1'/></geometry></collision></link>"
         "</robot>",
         "<blob>: unknown shape"},
        {HEAD "<link name='hand'><collision><geometry><mesh filename='no/such.stl'/></geometry>"
              "</collision></link></robot>",
         "no/such.stl\" is not there"},
        {HEAD "<link name='hand'><collision><geometry><sphere "
              "radius='-1'/></geometry></collision></link></robot>",
         "radius must be > 0, got -1"},
        {HEAD "<link name='hand'><collision><geometry><box "
              "size='1 2'/></geometry></collision></link></robot>",
         "size must be 3 numbers"},
        {HEAD "<link name='hand'><collision/></link></robot>", "needs a <geometry>"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_error(cases[i][0], NULL, cases[i][1]);
    }
}

// ---------------------------------------------------------------------------------------------
// Nothing is passed over without a word.

// True if an error or warning with a place holds the words.
static bool says(const cr_report *report, const char *words)
{
    for (int i = 0; i < report->count && i < CR_REPORT_MAX; i++) {
        if (strstr(report->errors[i].message, words) && report->errors[i].line > 0) {
            return true;
        }
    }
    for (int i = 0; i < report->warning_count && i < CR_REPORT_MAX; i++) {
        if (strstr(report->warnings[i].message, words) && report->warnings[i].line > 0) {
            return true;
        }
    }
    return false;
}

#define SRDF                                                                                       \
    "<robot name='two'><group name='g'><chain base_link='pole' tip_link='hand'></chain>"           \
    "<joint name='turn'></joint><link name='arm'></link></group>"                                  \
    "<group name='h'><group name='g'></group></group>"                                             \
    "<group_state name='home' group='g'><joint name='turn' value='0.5'></joint></group_state>"     \
    "<virtual_joint name='v' type='fixed' parent_frame='world' child_link='pole'></virtual_joint>" \
    "<passive_joint name='push'></passive_joint>"                                                  \
    "<disable_collisions link1='arm' link2='hand' reason='Never'></disable_collisions>"            \
    "<enable_collisions link1='pole' link2='hand'></enable_collisions>"                            \
    "<disable_default_collisions link='pole'></disable_default_collisions></robot>"

#define SOLID(shape)                                                                               \
    "<collision name='c'><origin xyz='0 0 0' rpy='0 0 0'></origin><geometry>" shape                \
    "</geometry></collision>"
#define URDF                                                                                                                                                                                                                                     \
    "<robot name='two'><link name='pole'>" SOLID(                                                                                                                                                                                                \
        "<box size='.1 .1 .1'></box>") "</link>"                                                                                                                                                                                                 \
                                       "<link name='arm'>" SOLID(                                                                                                                                                                                \
                                           "<cylinder radius='.1' length='.1'></cylinder>") "</"                                                                                                                                                 \
                                                                                            "link"                                                                                                                                               \
                                                                                            ">"                                                                                                                                                  \
                                                                                            "<lin"                                                                                                                                               \
                                                                                            "k "                                                                                                                                                 \
                                                                                            "name"                                                                                                                                               \
                                                                                            "='"                                                                                                                                                 \
                                                                                            "hand"                                                                                                                                               \
                                                                                            "'"                                                                                                                                                  \
                                                                                            ">" SOLID(                                                                                                                                           \
                                                                                                "<sphere radius='.1'></sphere>")                                                                                                                 \
                                                                                                SOLID(                                                                                                                                           \
                                                                                                    "<capsule radius='.1' length='1'></capsule>") "</link><link name='tip'></link>"                                                              \
                                                                                                                                                  "<joint name='turn' type='revolute'><parent link='pole'></parent><child link='arm'></child>"   \
                                                                                                                                                  "<origin xyz='0 0 1'></origin><axis xyz='0 0 1'></axis>"                                       \
                                                                                                                                                  "<limit lower='-2' upper='2' effort='1' velocity='1'></limit></joint>"                         \
                                                                                                                                                  "<joint name='push' type='prismatic'><parent link='arm'></parent><child link='hand'></child>"  \
                                                                                                                                                  "<limit lower='0' upper='1'></limit><safety_controller soft_lower_limit='-1' "                 \
                                                                                                                                                  "soft_upper_limit='2' k_velocity='1'></safety_controller></joint>"                             \
                                                                                                                                                  "<joint name='follow' type='revolute'><parent link='hand'></parent><child link='tip'></child>" \
                                                                                                                                                  "<mimic joint='turn' multiplier='2' offset='1'></mimic></joint></robot>"

// Put a text into another at each place that `find` finds: behind the tag's name or behind the tag.
static int plant_in_tags(const char *text, bool in_urdf, bool as_attribute)
{
    int count = 0;
    for (const char *at = strchr(text, '<'); at; at = strchr(at + 1, '<')) {
        if (at[1] == '/') {
            continue;
        }
        const char *to = at + (as_attribute ? strcspn(at, " >") : strcspn(at, ">") + 1);
        const char *weed = as_attribute ? " zzz_weed='1'" : "<zzz_weed/>";
        char planted[8192];
        snprintf(planted, sizeof planted, "%.*s%s%s", (int)(to - text), text, weed, to);
        cr_report report = {0};
        cr_arm *arm;
        parse(in_urdf ? planted : URDF, in_urdf ? NULL : planted, &arm, &report);
        cr_arm_destroy(arm);
        if (!says(&report, "zzz_weed")) {
            fail_msg("%.60s: nothing is said about it", at);
        }
        count++;
    }
    return count;
}

// Misspell the name of each element: none is passed over.
static int misspell_tags(const char *text, bool in_urdf)
{
    int count = 0;
    for (const char *at = strchr(text, '<'); at; at = strchr(at + 1, '<')) {
        if (at[1] == '/') {
            continue;
        }
        int length = (int)strcspn(at + 1, " >");
        char wrong[8192], close[64];
        snprintf(close, sizeof close, "</%.*s>", length, at + 1);
        const char *end = strcmp(close, "</robot>") == 0 ? strrchr(text, '<') : strstr(at, close);
        snprintf(wrong, sizeof wrong, "%.*sz%.*sz>%s", (int)(at + 1 + length - text), text,
                 (int)(end + 2 + length - (at + 1 + length)), at + 1 + length, end + 3 + length);
        cr_report report = {0};
        cr_arm *arm;
        cr_status status = parse(in_urdf ? wrong : URDF, in_urdf ? NULL : wrong, &arm, &report);
        if (status == CR_OK || report.errors[0].line == 0) {
            fail_msg("%.60s: a misspelling is accepted", at);
        }
        count++;
    }
    return count;
}

static void test_unknown_tags_are_found_everywhere(void **state)
{
    (void)state;
    cr_arm *arm;
    cr_report report = {0};
    assert_int_equal(parse(URDF, SRDF, &arm, &report), CR_OK);
    assert_int_equal(report.warning_count, 0);
    cr_arm_destroy(arm);
    for (int attribute = 0; attribute < 2; attribute++) {
        assert_int_equal(plant_in_tags(URDF, true, attribute), 36);
        assert_int_equal(plant_in_tags(SRDF, false, attribute), 14);
    }
    assert_int_equal(misspell_tags(URDF, true), 36);
    assert_int_equal(misspell_tags(SRDF, false), 14);
}

// Elements beside the usual ones: 'f' fine, 'w' warns, 'e' is an error.
static const struct {
    char answer;
    const char *robot, *link, *joint, *words;
} element_rows[] = {
    {'f', "<gazebo reference='a'><plugin/></gazebo><transmission><type/></transmission>", "", "",
     0},
    {'f', "<material name='m'><color rgba='1 1 1 1'/></material><ros2_control/>", "", "", 0},
    {'f', "",
     "<visual><geometry><blob/></geometry></visual><inertial><mass value='1'/>"
     "</inertial><contact/>",
     "", 0},
    {'f', "", "", "<dynamics damping='1' D='2'/><calibration rising='0'/>", 0},
    {'w', "<vendor/><vendor/>", "", "", "\"vendor\" in <robot>"},
    {'w', "", "<vendor/>", "", "\"vendor\" in <link>"},
    {'w', "", "", "<vendor/>", "\"vendor\" in <joint>"},
    {'w', "stray words", "", "", "text"},
    {'w', "", "", "<safety_controller soft_lower_limit='-1' k_velocity='1'/>", "soft limits"},
    {'e', "<xacro:include filename='x'/>", "", "", "xacro"},
    {'e', "<loop_joint/>", "", "", "loops"},
    {'e', "<limk name='x'/>", "", "", "did you mean \"link\""},
    {'e', "", "<colision/>", "", "did you mean \"collision\""},
    {'e', "", "", "<orgin xyz='0 0 1'/>", "did you mean \"origin\""},
    {'e', "", "", "<origin xyz='0 0 1'/><origin xyz='0 0 2'/>", "a second <origin>"},
    {'e', "", "", "<origin xyz='0 0 1' rpi='0 0 1'/>", "did you mean \"rpy\""},
    {'e', "", "", "<origin quat_xyzw='0 0 0 1'/>", "quat_xyzw"},
    {'e', "", "<collision><geometry><cone radius='1'/></geometry></collision>", "", "<cone>"},
    {'e', "",
     "<collision><geometry><box size='1 1 1'/><box size='1 1 1'/></geometry>"
     "</collision>",
     "", "second shape"},
};

static void test_elements_have_an_answer(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof element_rows / sizeof element_rows[0]; i++) {
        char text[4096];
        snprintf(text, sizeof text,
                 "<robot name='two'>%s<link name='a'>%s</link><link name='b'/><joint name='j' "
                 "type='revolute'>%s<parent link='a'/><child link='b'/><limit lower='-2' "
                 "upper='2'/></joint></robot>",
                 element_rows[i].robot, element_rows[i].link, element_rows[i].joint);
        cr_arm *arm;
        cr_report report = {0};
        cr_status status = parse(text, NULL, &arm, &report);
        cr_arm_destroy(arm);
        if ((status != CR_OK) != (element_rows[i].answer == 'e') ||
            report.warning_count != (element_rows[i].answer == 'w') ||
            (element_rows[i].words && !says(&report, element_rows[i].words))) {
            fail_msg("row %d: %s", (int)i, report.count ? report.errors[0].message : "no error");
        }
    }
}

static const struct {
    char answer;
    const char *text, *words;
} srdf_rows[] = {
    {'w', "<disable_collisions link1='arm' link2='hant'/>", "did you mean \"hand\""},
    {'w', "<group name='g'><chain base_link='pole' tip_link='wheel'/></group>", "\"wheel\""},
    {'w', "<group name='g'><joint name='wheel_joint'/></group>", "\"wheel_joint\""},
    {'w', "<group name='g'><group name='zebra'/></group>", "\"zebra\""},
    {'w', "<passive_joint name='wheel_joint'/>", "\"wheel_joint\""},
    {'w', "<virtual_joint name='v' type='fixed' parent_frame='w' child_link='arm'/>", "no effect"},
    {'w',
     "<group name='g'><chain base_link='pole' tip_link='hand'/></group>"
     "<group_state name='s' group='g'><joint name='turn' value='3'/></group_state>",
     "rests at its limit 2, not at 3"},
    {'e', "<virtual_joint name='v' type='round' parent_frame='w' child_link='pole'/>",
     "got \"round\""},
    {'e', "<disable_collisions link1='arm'/>", "link2"},
    {'e', "<disable_colisions link1='arm' link2='hand'/>", "did you mean"},
    {'f', "<end_effector name='e' parent_link='hand' group='g'/>", 0},
    {'f', "<link_sphere_approximation link='arm'><sphere/></link_sphere_approximation>", 0},
};

static void test_srdf_names_others(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof srdf_rows / sizeof srdf_rows[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, "<robot name='two'>%s</robot>", srdf_rows[i].text);
        cr_arm *arm;
        cr_report report = {0};
        cr_status status = parse(TWO_JOINTS, text, &arm, &report);
        cr_arm_destroy(arm);
        if ((status != CR_OK) != (srdf_rows[i].answer == 'e') ||
            report.warning_count != (srdf_rows[i].answer == 'w') ||
            (srdf_rows[i].words && !says(&report, srdf_rows[i].words))) {
            fail_msg("%s: %s", srdf_rows[i].text,
                     report.count           ? report.errors[0].message
                     : report.warning_count ? report.warnings[0].message
                                            : "no word");
        }
    }
}

// A chain between any two links of pole, arm and hand: its tip is the arm's, and it has the joints
// from there down to the base, or to the pole if the base is not on the way.
static void test_chains_between_any_links(void **state)
{
    (void)state;
    static const char *const names[] = {"pole", "arm", "hand"};
    for (int base = 0; base < 3; base++) {
        for (int tip = 0; tip < 3; tip++) {
            char text[512];
            snprintf(text, sizeof text,
                     "<robot name='two'><group name='g'><chain base_link='%s' tip_link='%s'/>"
                     "</group></robot>",
                     names[base], names[tip]);
            cr_arm *arm;
            cr_report report = {0};
            assert_int_equal(parse(TWO_JOINTS, text, &arm, &report), CR_OK);
            assert_int_equal(report.warning_count, 0);
            assert_string_equal(cr_arm_link_name(arm, cr_arm_tip(arm)), names[tip]);
            assert_int_equal(arm->groups[0].tip, cr_arm_tip(arm));
            // Joint k, which is coordinate k, leads to link k + 1.
            uint32_t from = base < tip ? (uint32_t)base : base == tip ? (uint32_t)tip : 0;
            uint32_t below = ((uint32_t)1 << tip) - 1, skipped = ((uint32_t)1 << from) - 1;
            assert_int_equal(arm->groups[0].dofs, below & ~skipped);
            cr_arm_destroy(arm);
        }
    }
}

// disable_default_collisions allows all of a link's pairs but those that are enabled.
static void test_srdf_pairs(void **state)
{
    (void)state;
    cr_arm *arm;
    assert_int_equal(parse(TWO_JOINTS,
                           "<robot name='two'><enable_collisions link1='hand' link2='pole'/>"
                           "<disable_default_collisions link='hand'/></robot>",
                           &arm, NULL),
                     CR_OK);
    int pole = cr_arm_find_link(arm, "pole"), middle = cr_arm_find_link(arm, "arm"),
        hand = cr_arm_find_link(arm, "hand");
    assert_true(arm->allowed[hand][middle] && arm->allowed[middle][hand]);
    assert_false(arm->allowed[hand][pole] || arm->allowed[pole][middle]);
    cr_arm_destroy(arm);
}

// ---------------------------------------------------------------------------------------------
// Capsules, from wires to balls, as rows of balls.

// Frames have their joint's axis as z, and the capsule's own is z.
static cri_checker *cover_capsule(double radius, double length, cr_arm **arm)
{
    char text[1024];
    snprintf(text, sizeof text,
             HEAD "<link name='hand'><collision><geometry><capsule radius='%g' length='%g'/>"
                  "</geometry></collision></link>" TURN
                  "<joint name='lift' type='prismatic'><parent link='arm'/><child link='hand'/>"
                  "<axis xyz='0 0 1'/><limit lower='0' upper='0.4'/></joint></robot>",
             radius, length);
    cri_checker *checker = calloc(1, sizeof *checker);
    assert_int_equal(parse(text, NULL, arm, NULL), CR_OK);
    cr_reach_task task = {.name = "none", .arm = *arm};
    assert_int_equal(cri_checker_set(checker, &task, NULL), CR_OK);
    return checker;
}

// Is a point at this height and distance from the axis inside of a ball?
static bool is_covered(const cri_checker *checker, double height, double aside)
{
    for (int i = 0; i < checker->ball_count; i++) {
        const cri_ball *ball = &checker->balls[i];
        double z = height - (double)ball->centre[2];
        if (z * z + aside * aside <= (double)ball->radius * (double)ball->radius) {
            return true;
        }
    }
    return false;
}

// The balls hold the capsule, and stand out by no more than a tenth of its radius; or, of a wire
// that would need more than some hundred balls, by no more than a hundredth of its length.
static void test_capsules_are_covered_closely(void **state)
{
    (void)state;
    static const double lengths[] = {0.001, 0.3, 2};
    for (int k = 0; k < 3; k++) {
        for (double radius = 1e-12; radius < 5; radius *= 3.7) {
            cr_arm *arm;
            double length = lengths[k];
            cri_checker *checker = cover_capsule(radius, length, &arm);
            for (int i = 0; i <= 1000; i++) {
                assert_true(is_covered(checker, (i / 1000.0 - 0.5) * length, radius));
            }
            assert_true(is_covered(checker, length / 2 + radius, 0));
            assert_true(is_covered(checker, -length / 2 - radius, 0));
            for (int i = 0; i < checker->ball_count; i++) {
                double out = (double)checker->balls[i].radius - radius;
                assert_true(out <= fmax(0.1 * radius, 0.01 * length) + 1e-4);
            }
            cri_checker_free(checker);
            free(checker);
            cr_arm_destroy(arm);
        }
    }
}

// ---------------------------------------------------------------------------------------------

// Lines of meshes: 'f' fine, 'e' an error.
static void test_mesh_lines(void **state)
{
    (void)state;
    static const struct {
        char answer;
        const char *name, *text;
    } rows[] = {
        {'f', "m.obj", "# c\nmtllib x.mtl\no box\nv 0 0 0\nv 1 1 1 1\nvn 0 0 1\nf 1 2 1\n"},
        {'f', "m.obj", "v 0 0 0 0.5 0.5 0.5\r\nv 1 1 1 1 1 1\r\n"},
        {'e', "m.obj", "v 0 0\nv 1 1 1\n"},
        {'e', "m.obj", "v 0 0 x\nv 1 1 1\n"},
        {'e', "m.obj", "v 0 0 0\nv 1 1 1e9\n"},
        {'e', "m.obj", "v 0 0 0\nvertex 1 1 1\n"},
        {'e', "m.obj", "v 0 0 0\ncall other.obj\n"},
        {'e', "m.obj", "o nothing\n"},
        {'f', "m.stl",
         "solid a\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 "
         "0\n   vertex 0 1 1\n  endloop\n endfacet\nendsolid a\n"},
        {'e', "m.stl", "solid a\n vertx 0 0 0\n vertex 1 1 1\nendsolid\n"},
        {'e', "m.stl", "solid a\n vertex 0 0\n 0 vertex 1 1 1\nendsolid\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        FILE *file = fopen(rows[i].name, "w");
        fputs(rows[i].text, file);
        fclose(file);
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD "<link name='hand'><collision><geometry><mesh filename='%s'/></geometry>"
                      "</collision></link>" TURN PUSH "</robot>",
                 rows[i].name);
        cr_arm *arm;
        cr_report report = {0};
        cr_status status = parse(text, NULL, &arm, &report);
        remove(rows[i].name);
        cr_arm_destroy(arm);
        if ((status != CR_OK) != (rows[i].answer == 'e')) {
            fail_msg("%s: %s", rows[i].text, report.count ? report.errors[0].message : "accepted");
        }
    }
}

static void test_meshes_become_boxes(void **state)
{
    (void)state;
    FILE *file = fopen("test_reach_mesh.obj", "w");
    fputs("# a flat box\nv 0 0 0\nv 2 1 0.5\nf 1 1 2\n", file);
    fclose(file);
    cr_arm *arm;
    const char *urdf = HEAD "<link name='hand'><collision><geometry><mesh "
                            "filename='package://test_reach_mesh.obj' "
                            "scale='1 1 2'/></geometry></collision></link>" TURN PUSH "</robot>";
    assert_int_equal(parse(urdf, NULL, &arm, NULL), CR_OK);
    assert_int_equal(arm->solids[0].kind, CRI_REACH_SOLID_BOX);
    assert_true(cri_length(cri_sub(arm->solids[0].half, cri_vec3(1, 0.5, 0.5))) < 1e-12);
    cr_arm_destroy(arm);
    remove("test_reach_mesh.obj");
}

static void test_large_files_are_refused(void **state)
{
    (void)state;
    const char *path = "test_reach_large.urdf";
    FILE *file = fopen(path, "w");
    fseek(file, (50 << 20) - 1, SEEK_SET); // sparse
    fputc(0, file);
    fclose(file);
    cr_arm *arm;
    cr_report report = {0};
    assert_int_not_equal(cr_arm_read(path, NULL, &arm, &report), CR_OK);
    assert_null(arm);
    assert_int_equal(report.count, 1);
    remove(path);
}

// ---------------------------------------------------------------------------------------------

#define BOX                                                                                        \
    "world: {collision_objects: [{id: wall, primitives: [{type: box, dimensions: [0.2, 0.2, "      \
    "1]}], "                                                                                       \
    "primitive_poses: [{position: [0.7, 0, 0], orientation: [0, 0, 0, 1]}]}]}\n"
#define REQUEST                                                                                    \
    "start_state: {joint_state: {name: [turn, push], position: [-1, 0.1]}}\n"                      \
    "goal_constraints: [{joint_constraints: [{joint_name: turn, position: 1}]}]\n"

static cr_status read_task(const cr_arm *arm, const char *scene, const char *request,
                           cr_reach_tasks **tasks, cr_report *report)
{
    cri_moveit_text a = {scene, strlen(scene), "s.yaml"};
    cri_moveit_text b = {request, request ? strlen(request) : 0, "r.yaml"};
    return cri_moveit_parse(arm, a, b, tasks, report);
}

static void test_moveit_task(void **state)
{
    (void)state;
    cr_arm *arm;
    cr_reach_tasks *tasks;
    assert_int_equal(parse(TWO_JOINTS, NULL, &arm, NULL), CR_OK);
    assert_int_equal(read_task(arm, BOX, REQUEST, &tasks, NULL), CR_OK);
    const cr_reach_task *task = cr_reach_task_at(tasks, 0);
    assert_int_equal(task->obstacle_count, 1);
    assert_string_equal(task->obstacles[0].name, "wall");
    assert_true(task->goal[0] == 1 && task->goal[1] == 0.1); // the second joint keeps its start
    cr_reach_def def = cr_quick_reach_def();
    def.seconds = 0;
    def.iterations = 10000;
    cr_reach *reach;
    cr_reach_result r;
    assert_int_equal(cr_reach_create(&def, &reach, NULL), CR_OK);
    assert_int_equal(cr_reach_plan(reach, task, 1, NULL, &r, NULL), CR_OK);
    // The wall reaches from 0.6 to 0.8 and the hand cannot get below 0.5: there is no way.
    assert_int_equal(r.outcome, CR_OUTCOME_ATTEMPTS);
    assert_int_equal(r.count, 0);
    cr_reach_destroy(reach);
    cr_reach_tasks_destroy(tasks);
    cr_arm_destroy(arm);
}

static void expect_task_error(const cr_arm *arm, const char *scene, const char *request,
                              const char *words)
{
    cr_reach_tasks *tasks;
    cr_report report = {0};
    assert_int_not_equal(read_task(arm, scene, request, &tasks, &report), CR_OK);
    assert_null(tasks);
    if (!strstr(report.errors[0].message, words)) {
        fail_msg("\"%s\" does not say \"%s\"", report.errors[0].message, words);
    }
    assert_true(report.errors[0].line > 0);
}

static void test_bad_tasks_are_named(void **state)
{
    (void)state;
    cr_arm *arm;
    assert_int_equal(parse(TWO_JOINTS, NULL, &arm, NULL), CR_OK);
    expect_task_error(arm, "a: 1\n", NULL, "unknown key \"a\"");
    expect_task_error(arm,
                      "world: {collision_objects: [{primitives: [{type: cube, dimensions: [1]}], "
                      "primitive_poses: [{}]}]}\n",
                      NULL, "unknown shape \"cube\"");
    expect_task_error(arm,
                      "world: {collision_objects: [{primitives: [{type: box, dimensions: [1, 2, "
                      "-3]}], primitive_poses: [{}]}]}\n",
                      NULL, "dimensions must be > 0");
    expect_task_error(arm,
                      "world: {collision_objects: [{primitives: [{type: box, dimensions: [1, 2, "
                      ".nan]}], primitive_poses: [{}]}]}\n",
                      NULL, "dimensions must be 3 numbers");
    expect_task_error(arm, "world: {collision_objects: [{meshes: [1]}]}\n", NULL, "not supported");
    expect_task_error(arm, BOX, "start_state: {}\n", "joint_constraints");
    expect_task_error(arm, BOX, "start_state: {joint_state: {name: [turn], position: []}}\n",
                      "same length, got 1 and 0");
    expect_task_error(
        arm, BOX,
        "start_state: {joint_state: {name: [turn, push], position: [0, 0]}}\n"
        "goal_constraints: [{joint_constraints: [{joint_name: nose, position: 1}]}]\n",
        "a joint that the arm has not");
    cr_arm_destroy(arm);
}

static void test_numeric_ik(void **state)
{
    (void)state;
    cr_arm *arm;
    cr_reach_tasks *tasks;
    assert_int_equal(parse(TWO_JOINTS, NULL, &arm, NULL), CR_OK);
    assert_int_equal(read_task(arm, "world: {collision_objects: []}\n", REQUEST, &tasks, NULL),
                     CR_OK);
    double q[CR_ARM_MAX_DOFS] = {0.7, 0.3};
    cr_pose target = cr_arm_link_pose(arm, q, cr_arm_tip(arm));
    assert_int_equal(cr_arm_solve(cr_reach_task_at(tasks, 0), target, 1, q), CR_IK_FOUND);
    assert_true(fabs(q[0] - 0.7) < 1e-4 && fabs(q[1] - 0.3) < 1e-4);
    cr_report report = {0};
    target.position.x = 9;
    assert_int_equal(cr_reach_tasks_aim(tasks, target, true, 1, &report), CR_ERR_RANGE);
    assert_non_null(strstr(report.errors[0].message, "out of reach"));
    cr_reach_tasks_destroy(tasks);
    cr_arm_destroy(arm);
}

// ---------------------------------------------------------------------------------------------

static void plan_problem(const cr_arm *arm, cr_reach *reach, const char *folder, int problem)
{
    char scene[512], request[512];
    snprintf(scene, sizeof scene, "%s/arm/bookshelf_small_panda/scene%04d.yaml", folder, problem);
    snprintf(request, sizeof request, "%s/arm/bookshelf_small_panda/request%04d.yaml", folder,
             problem);
    cr_reach_tasks *tasks;
    cr_report report = {0};
    if (cr_moveit_read(arm, scene, request, &tasks, &report) != CR_OK) {
        fail_msg("%s", report.errors[0].message);
    }
    const cr_reach_task *task = cr_reach_task_at(tasks, 0);
    for (uint64_t seed = 0; seed < 3; seed++) {
        cr_reach_result r;
        assert_int_equal(cr_reach_plan(reach, task, seed, NULL, &r, NULL), CR_OK);
        assert_int_equal(r.outcome, CR_OUTCOME_SOLVED);
        cr_reach_proof proof = cr_reach_verify(task, r.path, r.count, 0.02);
        if (!proof.holds) {
            fail_msg("problem %d: %s", problem, proof.text);
        }
    }
    cr_reach_tasks_destroy(tasks);
}

static void test_panda(void **state)
{
    (void)state;
    const char *folder = getenv("CAROM_REFERENCE");
    if (!folder || !*folder) {
        print_message("CAROM_REFERENCE is not set: the Panda's problems are skipped\n");
        return;
    }
    char urdf[512], srdf[512];
    snprintf(urdf, sizeof urdf, "%s/arm/panda_spherized.urdf", folder);
    snprintf(srdf, sizeof srdf, "%s/arm/panda.srdf", folder);
    cr_arm *arm;
    assert_int_equal(cr_arm_read(urdf, srdf, &arm, NULL), CR_OK);
    assert_int_equal(cr_arm_dof_count(arm), 7);
    assert_string_equal(cr_arm_link_name(arm, cr_arm_tip(arm)), "panda_link8");
    cr_reach_def def = cr_quick_reach_def();
    def.seconds = 0;
    def.iterations = 200000;
    cr_reach *reach;
    assert_int_equal(cr_reach_create(&def, &reach, NULL), CR_OK);
    for (int problem = 1; problem <= 40; problem++) {
        plan_problem(arm, reach, folder, problem);
    }
    cr_reach_destroy(reach);
    cr_arm_destroy(arm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_arm_moves),
        cmocka_unit_test(test_mimic_follows),
        cmocka_unit_test(test_bad_robots_are_named),
        cmocka_unit_test(test_unknown_tags_are_found_everywhere),
        cmocka_unit_test(test_elements_have_an_answer),
        cmocka_unit_test(test_srdf_names_others),
        cmocka_unit_test(test_chains_between_any_links),
        cmocka_unit_test(test_srdf_pairs),
        cmocka_unit_test(test_capsules_are_covered_closely),
        cmocka_unit_test(test_mesh_lines),
        cmocka_unit_test(test_meshes_become_boxes),
        cmocka_unit_test(test_large_files_are_refused),
        cmocka_unit_test(test_moveit_task),
        cmocka_unit_test(test_bad_tasks_are_named),
        cmocka_unit_test(test_numeric_ik),
        cmocka_unit_test(test_panda),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
