// Tables for spreadsheets and scripts (RFC 4180, with \n): states, actions, contacts, channels,
// Skills and inputs of the first world. Numbers have as many digits as it takes to read the same
// bits again.

#include "export/export.h"

#include <math.h>
#include <string.h>

static void add_numbers(cri_text *out, const double *values, int count)
{
    for (int i = 0; i < count; i++) {
        cri_text_add_bytes(out, ",", 1);
        if (isfinite(values[i])) { // a channel that is not known in a frame is an empty cell
            cri_text_add_number(out, values[i]);
        }
    }
}

// What is not known is three empty cells.
static void add_vector(cri_text *out, const cr_vec3 *v)
{
    if (v) {
        add_numbers(out, (double[]){v->x, v->y, v->z}, 3);
    } else {
        cri_text_add(out, ",,,");
    }
}

static void add_time(cri_text *out, const cr_playback *playback, int frame)
{
    cri_text_add_number(out, frame * playback->frame_seconds);
}

static void add_state(cri_text *out, const cr_playback *playback, int b, int frame)
{
    const cr_playback_body *body = &playback->bodies[b];
    const cr_playback_world *world = &playback->worlds[0];
    cr_pose pose = cri_playback_pose(playback, body, world, frame);
    add_time(out, playback, frame);
    cri_text_add_bytes(out, ",", 1);
    cri_text_add_name(out, CRI_NAME_CSV, body->name);
    double values[] = {pose.position.x, pose.position.y, pose.position.z, pose.rotation.x,
                       pose.rotation.y, pose.rotation.z, pose.rotation.w};
    add_numbers(out, values, 7);
    size_t at = (size_t)frame * (size_t)playback->track_count + (size_t)body->track;
    add_vector(out, world->velocities ? &world->velocities[at] : NULL);
    add_vector(out, world->spins ? &world->spins[at] : NULL);
    cri_text_add_bytes(out, "\n", 1);
}

// A future that is no solution says so in a last row, in place of a body, with nothing behind it.
static void add_failure(cri_text *out, const cr_playback *playback)
{
    const cr_playback_world *world = &playback->worlds[0];
    if (world->failed) {
        add_time(out, playback, world->frame_count - 1);
        cri_text_add_bytes(out, ",", 1);
        cri_text_add_name(out, CRI_NAME_CSV, world->failed);
        cri_text_add(out, ",,,,,,,,,,\n");
    }
}

cr_status cri_write_states(const cr_playback *playback, cri_text *out, cr_report *report)
{
    (void)report;
    cri_text_add(out, "time,body,x,y,z,qx,qy,qz,qw,vx,vy,vz,spin_x,spin_y,spin_z\n");
    for (int f = 0; f < playback->worlds[0].frame_count; f++) {
        for (int b = 0; b < playback->body_count; b++) {
            if (playback->bodies[b].moving) {
                add_state(out, playback, b, f);
            }
        }
    }
    add_failure(out, playback);
    return CR_OK;
}

// What is done to a body from a frame on; a row for each that is not nothing.
static void add_action(cri_text *out, const cr_playback *playback, int b, int frame)
{
    const cr_playback_body *body = &playback->bodies[b];
    size_t at = (size_t)frame * (size_t)playback->track_count + (size_t)body->track;
    const cr_action *a = &playback->worlds[0].actions[at];
    const cr_vec3 vectors[] = {a->force, a->torque, a->impulse, a->twist, a->velocity, a->spin};
    bool any = false;
    for (int i = 0; i < 6; i++) {
        any = any || vectors[i].x != 0 || vectors[i].y != 0 || vectors[i].z != 0;
    }
    if (!any) {
        return;
    }
    add_time(out, playback, frame);
    cri_text_add_bytes(out, ",", 1);
    cri_text_add_name(out, CRI_NAME_CSV, body->name);
    for (int i = 0; i < 6; i++) {
        add_numbers(out, (double[]){vectors[i].x, vectors[i].y, vectors[i].z}, 3);
    }
    cri_text_add_bytes(out, "\n", 1);
}

cr_status cri_write_actions(const cr_playback *playback, cri_text *out, cr_report *report)
{
    if (!playback->worlds[0].actions) {
        return cri_fail(report, CR_ERR_TYPE, (cri_location){0},
                        "there are no actions to write here");
    }
    cri_text_add(out, "time,body,force_x,force_y,force_z,torque_x,torque_y,torque_z,impulse_x,"
                      "impulse_y,impulse_z,twist_x,twist_y,twist_z,velocity_x,velocity_y,"
                      "velocity_z,spin_x,spin_y,spin_z\n");
    for (int f = 0; f < playback->worlds[0].frame_count; f++) {
        for (int b = 0; b < playback->body_count; b++) {
            if (playback->bodies[b].moving) {
                add_action(out, playback, b, f);
            }
        }
    }
    return CR_OK;
}

cr_status cri_write_contacts(const cr_playback *playback, cri_text *out, cr_report *report)
{
    (void)report;
    cri_text_add(out, "time,a,b,x,y,z,impulse\n");
    const cr_playback_world *world = &playback->worlds[0];
    for (int i = 0; i < world->contact_count; i++) {
        const cr_playback_contact *contact = &world->contacts[i];
        add_time(out, playback, contact->frame);
        cri_text_add_bytes(out, ",", 1);
        cri_text_add_name(out, CRI_NAME_CSV, playback->bodies[contact->a].name);
        cri_text_add_bytes(out, ",", 1);
        cri_text_add_name(out, CRI_NAME_CSV, playback->bodies[contact->b].name);
        cr_vec3 p = contact->point;
        add_numbers(out, (double[]){p.x, p.y, p.z, contact->impulse}, 4);
        cri_text_add_bytes(out, "\n", 1);
    }
    return CR_OK;
}

// "speed [m/s]": name and unit in one cell, quoted as one.
static void add_heading(cri_text *out, const cr_playback_channel *channel)
{
    cri_text heading = {0};
    bool unit = channel->unit && channel->unit[0];
    cri_text_add(&heading, "%s", channel->name ? channel->name : "");
    if (unit) {
        cri_text_add(&heading, " [%s]", channel->unit);
    }
    cri_text_add_bytes(out, ",", 1);
    cri_text_add_name(out, CRI_NAME_CSV, heading.data);
    out->failed = out->failed || heading.failed;
    cri_text_free(&heading);
}

cr_status cri_write_channels(const cr_playback *playback, cri_text *out, cr_report *report)
{
    (void)report;
    const cr_playback_world *world = &playback->worlds[0];
    cri_text_add(out, "time");
    for (int c = 0; c < world->channel_count; c++) {
        add_heading(out, &world->channels[c]);
    }
    cri_text_add_bytes(out, "\n", 1);
    for (int f = 0; f < world->frame_count; f++) {
        add_time(out, playback, f);
        for (int c = 0; c < world->channel_count; c++) {
            add_numbers(out, &world->channels[c].values[f], 1);
        }
        cri_text_add_bytes(out, "\n", 1);
    }
    return CR_OK;
}

cr_status cri_write_skills(const cr_playback *playback, cri_text *out, cr_report *report)
{
    (void)report;
    cri_text_add(out, "tactic,skill,start,end\n");
    const cr_playback_world *world = &playback->worlds[0];
    for (int i = 0; i < world->span_count; i++) {
        const cr_playback_span *span = &world->spans[i];
        cri_text_add_name(out, CRI_NAME_CSV, span->row);
        cri_text_add_bytes(out, ",", 1);
        cri_text_add_name(out, CRI_NAME_CSV, span->label);
        double seconds = playback->frame_seconds;
        add_numbers(out, (double[]){span->from * seconds, span->to * seconds}, 2);
        cri_text_add_bytes(out, "\n", 1);
    }
    return CR_OK;
}

// A comment line for each line of the text.
static void add_comment(cri_text *out, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        cri_text_add_bytes(out, "# ", 2);
        cri_text_add_bytes(out, text, length);
        cri_text_add_bytes(out, "\n", 1);
        text += length + (text[length] == '\n');
    }
}

cr_status cri_write_inputs(const cr_playback *playback, cri_text *out, cr_report *report)
{
    const cr_playback_world *world = &playback->worlds[0];
    const cr_playback_inputs *inputs = world->inputs;
    if (!inputs) {
        return cri_fail(report, CR_ERR_TYPE, (cri_location){0},
                        "there are no inputs to write here");
    }
    add_comment(out, inputs->about);
    for (int c = 0; c < inputs->column_count; c++) {
        cri_text_add(out, "%s%s", c ? "," : "# ", inputs->columns[c]);
    }
    cri_text_add_bytes(out, "\n", 1);
    for (int f = 0; f < world->frame_count; f++) {
        const double *row = &inputs->values[(size_t)f * (size_t)inputs->column_count];
        cri_text_add_number(out, row[0]);
        add_numbers(out, row + 1, inputs->column_count - 1);
        cri_text_add_bytes(out, "\n", 1);
    }
    return CR_OK;
}
