// The same as plan.c from C++. Usage: plan_cpp SCENE.yaml
#include <carom/carom.h>

#include <cinttypes>
#include <cstdio>
#include <memory>

namespace {

struct Destroy {
    void operator()(cr_scene *scene) const { cr_scene_destroy(scene); }
    void operator()(cr_model *model) const { cr_model_destroy(model); }
    void operator()(cr_planner *planner) const { cr_planner_destroy(planner); }
};

template <class T> using owner = std::unique_ptr<T, Destroy>;

} // namespace

int main(int argc, char **argv)
{
    cr_report report = {};
    cr_scene *scene = nullptr;
    cr_model *model = nullptr;
    cr_planner *planner = nullptr;
    if (argc != 2 || cr_scene_read(argv[1], &scene, &report) != CR_OK) {
        return 1;
    }
    owner<cr_scene> scene_owner(scene);
    if (cr_model_create(scene, nullptr, 0, &model, &report) != CR_OK) {
        return 1;
    }
    owner<cr_model> model_owner(model);
    cr_planner_def def = cr_model_planner_def(model);
    if (cr_planner_create(model, &def, &planner, &report) != CR_OK) {
        return 1;
    }
    owner<cr_planner> planner_owner(planner);
    cr_outcome outcome = cr_planner_grow(planner, nullptr);
    std::printf("%s %s %016" PRIx64 "\n", cr_version(), cr_outcome_name(outcome),
                cr_planner_get_stats(planner).tree_hash);
    return 0;
}
