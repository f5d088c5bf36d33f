// The fields of MoveIt's messages, and what becomes of each.
#include "reach/moveit_read.h"

#define USED     CRI_FIELD_USED
#define HARMLESS CRI_FIELD_HARMLESS
#define IDLE     CRI_FIELD_IDLE
#define REFUSED  CRI_FIELD_REFUSED

static const cri_field in_stamp[] = {
    {"sec", HARMLESS, 0, 0},   {"nanosec", HARMLESS, 0, 0}, {"secs", HARMLESS, 0, 0},
    {"nsecs", HARMLESS, 0, 0}, {"nsec", HARMLESS, 0, 0},    {0},
};

static const cri_field in_header[] = {
    {"seq", HARMLESS, 0, 0},
    {"stamp", HARMLESS, in_stamp, 0},
    {"frame_id", USED, 0, 0},
    {0},
};

static const cri_field in_vector[] = {
    {"x", USED, 0, 0},
    {"y", USED, 0, 0},
    {"z", USED, 0, 0},
    {0},
};

static const cri_field in_quaternion[] = {
    {"x", USED, 0, 0}, {"y", USED, 0, 0}, {"z", USED, 0, 0}, {"w", USED, 0, 0}, {0},
};

static const cri_field in_pose[] = {
    {"position", USED, in_vector, 0},
    {"orientation", USED, in_quaternion, 0},
    {0},
};

static const cri_field in_transform[] = {
    {"translation", USED, in_vector, 0},
    {"rotation", USED, in_quaternion, 0},
    {0},
};

static const cri_field in_twist[] = {
    {"linear", USED, in_vector, 0},
    {"angular", USED, in_vector, 0},
    {0},
};

static const cri_field in_wrench[] = {
    {"force", USED, in_vector, 0},
    {"torque", USED, in_vector, 0},
    {0},
};

// ---------------------------------------------------------------------------------------------
// Objects.

static const cri_field in_primitive[] = {
    {"type", USED, 0, 0},
    {"dimensions", USED, 0, 0},
    {"polygon", REFUSED, 0, "prisms are not supported"},
    {0},
};

static const cri_field in_object_type[] = {
    {"key", IDLE, 0, 0},
    {"db", IDLE, 0, 0},
    {0},
};

static const cri_field in_object[] = {
    {"header", USED, in_header, 0},
    {"id", USED, 0, 0},
    {"pose", USED, in_pose, 0},
    {"type", USED, in_object_type, 0},
    {"primitives", USED, in_primitive, 0},
    {"primitive_poses", USED, in_pose, 0},
    {"meshes", REFUSED, 0, "meshes as obstacles are not supported"},
    {"mesh_poses", REFUSED, 0, "meshes as obstacles are not supported"},
    {"planes", REFUSED, 0, "planes as obstacles are not supported"},
    {"plane_poses", REFUSED, 0, "planes as obstacles are not supported"},
    {"subframe_names", IDLE, 0, 0},
    {"subframe_poses", IDLE, in_pose, 0},
    {"operation", USED, 0, 0},
    {0},
};

static const cri_field in_color[] = {
    {"r", USED, 0, 0}, {"g", USED, 0, 0}, {"b", USED, 0, 0}, {"a", USED, 0, 0}, {0},
};

static const cri_field in_object_color[] = {
    {"id", USED, 0, 0},
    {"color", USED, in_color, 0},
    {0},
};

static const cri_field in_octomap[] = {
    {"header", HARMLESS, in_header, 0},
    {"binary", HARMLESS, 0, 0},
    {"id", HARMLESS, 0, 0},
    {"resolution", HARMLESS, 0, 0},
    {"data", REFUSED, 0, "octomaps are not supported"},
    {0},
};

static const cri_field in_octomap_with_pose[] = {
    {"header", HARMLESS, in_header, 0},
    {"origin", HARMLESS, in_pose, 0},
    {"octomap", USED, in_octomap, 0},
    {0},
};

static const cri_field in_world[] = {
    {"collision_objects", USED, in_object, 0},
    {"octomap", USED, in_octomap_with_pose, 0},
    {0},
};

// ---------------------------------------------------------------------------------------------
// Robot states.

static const cri_field in_joint_state[] = {
    {"header", HARMLESS, in_header, 0}, {"name", USED, 0, 0},   {"position", USED, 0, 0},
    {"velocity", IDLE, 0, 0},           {"effort", IDLE, 0, 0}, {0},
};

static const cri_field in_multi_dof_joint_state[] = {
    {"header", USED, in_header, 0},        {"joint_names", USED, 0, 0},
    {"transforms", USED, in_transform, 0}, {"twist", IDLE, in_twist, 0},
    {"wrench", IDLE, in_wrench, 0},        {0},
};

static const cri_field in_robot_state[] = {
    {"joint_state", USED, in_joint_state, 0},
    {"multi_dof_joint_state", USED, in_multi_dof_joint_state, 0},
    {"attached_collision_objects", REFUSED, 0, "attached objects are not supported"},
    {"is_diff", USED, 0, 0},
    {0},
};

// ---------------------------------------------------------------------------------------------
// The planning scene.

static const cri_field in_stamped_transform[] = {
    {"header", USED, in_header, 0},
    {"child_frame_id", USED, 0, 0},
    {"transform", USED, in_transform, 0},
    {0},
};

static const cri_field in_matrix_entry[] = {
    {"enabled", USED, 0, 0},
    {0},
};

static const cri_field in_allowed_collision_matrix[] = {
    {"entry_names", USED, 0, 0},
    {"entry_values", USED, in_matrix_entry, 0},
    {"default_entry_names", USED, 0, 0},
    {"default_entry_values", USED, 0, 0},
    {0},
};

static const cri_field in_link_padding[] = {
    {"link_name", USED, 0, 0},
    {"padding", USED, 0, 0},
    {0},
};

static const cri_field in_link_scale[] = {
    {"link_name", USED, 0, 0},
    {"scale", USED, 0, 0},
    {0},
};

const cri_field cri_moveit_scene_fields[] = {
    {"name", HARMLESS, 0, 0},
    {"robot_state", USED, in_robot_state, 0},
    {"robot_model_name", USED, 0, 0},
    {"fixed_frame_transforms", USED, in_stamped_transform, 0},
    {"allowed_collision_matrix", USED, in_allowed_collision_matrix, 0},
    {"link_padding", USED, in_link_padding, 0},
    {"link_scale", USED, in_link_scale, 0},
    {"object_colors", IDLE, in_object_color, 0},
    {"world", USED, in_world, 0},
    {"is_diff", USED, 0, 0},
    {0},
};

// ---------------------------------------------------------------------------------------------
// The motion plan request.

static const cri_field in_workspace[] = {
    {"header", HARMLESS, in_header, 0},
    {"min_corner", HARMLESS, in_vector, 0},
    {"max_corner", HARMLESS, in_vector, 0},
    {0},
};

static const cri_field in_joint_constraint[] = {
    {"joint_name", USED, 0, 0},      {"position", USED, 0, 0},   {"tolerance_above", USED, 0, 0},
    {"tolerance_below", USED, 0, 0}, {"weight", HARMLESS, 0, 0}, {0},
};

static const char no_places[] = "a goal must be joint values; places are not supported";

static const cri_field in_goal[] = {
    {"name", HARMLESS, 0, 0},
    {"joint_constraints", USED, in_joint_constraint, 0},
    {"position_constraints", REFUSED, 0, no_places},
    {"orientation_constraints", REFUSED, 0, no_places},
    {"visibility_constraints", REFUSED, 0, no_places},
    {0},
};

static const char no_constraints[] = "constraints along the path are not supported";

static const cri_field in_path_constraints[] = {
    {"name", HARMLESS, 0, 0},
    {"joint_constraints", REFUSED, in_joint_constraint, no_constraints},
    {"position_constraints", REFUSED, 0, no_constraints},
    {"orientation_constraints", REFUSED, 0, no_constraints},
    {"visibility_constraints", REFUSED, 0, no_constraints},
    {0},
};

static const cri_field in_trajectory_constraints[] = {
    {"constraints", REFUSED, in_path_constraints, no_constraints},
    {0},
};

const cri_field cri_moveit_request_fields[] = {
    {"workspace_parameters", IDLE, in_workspace, 0},
    {"start_state", USED, in_robot_state, 0},
    {"goal_constraints", USED, in_goal, 0},
    {"path_constraints", USED, in_path_constraints, 0},
    {"trajectory_constraints", USED, in_trajectory_constraints, 0},
    {"reference_trajectories", REFUSED, 0, "trajectories to follow are not supported"},
    {"group_name", USED, 0, 0},
    {"pipeline_id", IDLE, 0, 0},
    {"planner_id", IDLE, 0, 0},
    {"num_planning_attempts", IDLE, 0, 0},
    {"allowed_planning_time", IDLE, 0, 0},
    {"max_velocity_scaling_factor", IDLE, 0, 0},
    {"max_acceleration_scaling_factor", IDLE, 0, 0},
    {"cartesian_speed_end_effector_link", IDLE, 0, 0},
    {"cartesian_speed_limited_link", IDLE, 0, 0},
    {"max_cartesian_speed", IDLE, 0, 0},
    {0},
};
