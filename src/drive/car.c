// The car of appendix A of the thesis, with its slips mended.
//
// As printed: front wheels' sideways force enters x as `sin(steer) * flatf.x`, which is always
// zero. Here it is -sin(steer) times the sideways force, so a turned wheel brakes. The brake's sign
// is printed as [vX]/[vX], which is 1 or 0/0; here it is the sign of vX, and the brake never pushes
// the car past a standstill. The slip angles are atan2(.., vX), which jumps by pi when rolling
// backwards and is undefined at rest; here |vX|, at least CREEP, stands below, and the steering
// counts with the direction of travel. The torque is kept as printed: the front force acts with its
// full arm at any steering. Grip is a cap of 3 times the axle load sideways; as printed, throttle
// and brake do not share it.
//
// Axes: x forward, y left, z up, where the listing has y right and z down; the mirror image changes
// no formula.
#include "drive/car.h"

#include <math.h>

#include "base/trig.h"
#include "base/vec.h"

// m/s. Below this speed slip angles fade out. Sideways forces change the sideways speed at a rate
// of about 40/CREEP per second; the substep of 10 ms takes this without swinging over.
#define CREEP 1.0

cr_car cr_default_car(void)
{
    return (cr_car){.mass = 1500,
                    .inertia = 1500,
                    .front = 1,
                    .rear = 1,
                    .stiff_front = 4.0,
                    .stiff_rear = 4.2,
                    .grip = 3,
                    .drag = 4,
                    .resistance = 20,
                    .pedal = 100,
                    .half_length = 1.8,
                    .half_width = 0.85,
                    .substeps = 4};
}

double cr_car_top_speed(const cr_car *car)
{
    double force = 100 * car->pedal;
    double root = sqrt(car->resistance * car->resistance + 4 * car->drag * force);
    return (root - car->resistance) / (2 * car->drag);
}

cr_vec2 cr_car_local(const cr_car_state *state)
{
    double c, s;
    cri_sin_cos(state->heading, &s, &c);
    return (cr_vec2){c * state->vx + s * state->vy, c * state->vy - s * state->vx};
}

cri_drive_motion cri_car_motion(const cr_car_state *state)
{
    cr_vec2 local = cr_car_local(state);
    return (cri_drive_motion){local.x, local.y, state->spin};
}

cr_car_state cri_car_at_origin(cri_drive_motion motion)
{
    return (cr_car_state){.vx = motion.u, .vy = motion.v, .spin = motion.w};
}

double cri_drive_motion_distance(cri_drive_motion a, cri_drive_motion b)
{
    return fabs(a.u - b.u) + fabs(a.v - b.v) + fabs(a.w - b.w);
}

// Force per load: the tyre pulls against its slip, up to the grip.
static double tyre(double stiffness, double grip, double slip)
{
    return cri_clamp(-stiffness * slip, -grip, grip);
}

static double resist(const cr_car *car, double speed)
{
    return -(car->resistance * speed + car->drag * speed * fabs(speed));
}

// Throttle and brake together, N. The brake stops at a standstill: in one substep it takes away at
// most the speed there is.
static double pedals(const cr_car *car, cr_car_input input, double u, double dt)
{
    double brake = car->pedal * input.brake, stops = car->mass * fabs(u) / dt;
    brake = brake < stops ? brake : stops;
    return car->pedal * input.throttle - (u < 0 ? -brake : brake);
}

typedef struct forces {
    double x, y, torque;
    double front, rear; // of the axles, sideways
} forces;

// An input with what is the same for all substeps.
typedef struct controls {
    cr_car_input input;
    double steer_cos, steer_sin, dt;
} controls;

static controls make_controls(const cr_car *car, cr_car_input input)
{
    input.steer = cri_clamp(input.steer, -CR_CAR_MAX_STEER, CR_CAR_MAX_STEER);
    input.throttle = cri_clamp(input.throttle, -100, 100);
    input.brake = cri_clamp(input.brake, 0, 100);
    controls k = {.input = input, .dt = 1.0 / CR_DRIVE_RATE / car->substeps};
    cri_sin_cos(input.steer, &k.steer_sin, &k.steer_cos);
    return k;
}

static double axle_load(const cr_car *car)
{
    return car->mass * CRI_GRAVITY * 0.5;
}

static forces sum_forces(const cr_car *car, cri_drive_motion m, const controls *k)
{
    double below = fabs(m.u) > CREEP ? fabs(m.u) : CREEP;
    double side_slip = cri_atan2(m.v, below);
    double turn_slip = cri_atan2((car->front + car->rear) * 0.5 * m.w, below);
    double steer = k->input.steer * cri_clamp(m.u / CREEP, -1, 1);
    double load = axle_load(car);
    double front = load * tyre(car->stiff_front, car->grip, side_slip + turn_slip - steer);
    double rear = load * tyre(car->stiff_rear, car->grip, side_slip - turn_slip);
    return (forces){
        .x = pedals(car, k->input, m.u, k->dt) - k->steer_sin * front + resist(car, m.u),
        .y = k->steer_cos * front + rear + resist(car, m.v),
        .torque = car->front * front - car->rear * rear,
        .front = front,
        .rear = rear,
    };
}

// ---------------------------------------------------------------------------------------------
// Slopes: the same formulas, differentiated. Where something is at its limit (a tyre at its grip, a
// brake that stops the car) it does not change.

// By what the forces change with: motion, steering, throttle and brake.
typedef double by_all[CRI_BY_COUNT];

// The sideways force of the two axles.
static void axle_slopes(const cr_car *car, cri_drive_motion m, const controls *k, const forces *f,
                        by_all front, by_all rear)
{
    double speed = fabs(m.u), below = speed > CREEP ? speed : CREEP;
    double arm = (car->front + car->rear) * 0.5, turn = arm * m.w;
    double below_u = speed > CREEP ? (m.u < 0 ? -1 : 1) : 0;
    double side_square = below * below + m.v * m.v, turn_square = below * below + turn * turn;
    double side_u = -m.v * below_u / side_square, side_v = below / side_square;
    double turn_u = -turn * below_u / turn_square, turn_w = arm * below / turn_square;
    double steer_u = speed < CREEP ? k->input.steer / CREEP : 0;
    double load = axle_load(car), most = load * car->grip;
    double stiff_front = fabs(f->front) < most ? -load * car->stiff_front : 0;
    double stiff_rear = fabs(f->rear) < most ? -load * car->stiff_rear : 0;
    front[CRI_BY_U] = stiff_front * (side_u + turn_u - steer_u);
    front[CRI_BY_V] = stiff_front * side_v;
    front[CRI_BY_W] = stiff_front * turn_w;
    front[CRI_BY_STEER] = -stiff_front * cri_clamp(m.u / CREEP, -1, 1);
    rear[CRI_BY_U] = stiff_rear * (side_u - turn_u);
    rear[CRI_BY_V] = stiff_rear * side_v;
    rear[CRI_BY_W] = -stiff_rear * turn_w;
}

static double resist_slope(const cr_car *car, double speed)
{
    return -(car->resistance + 2 * car->drag * fabs(speed));
}

typedef struct force_slopes {
    by_all x, y, torque;
} force_slopes;

static force_slopes differentiate(const cr_car *car, cri_drive_motion m, const controls *k,
                                  const forces *f)
{
    by_all front = {0}, rear = {0};
    force_slopes d;
    axle_slopes(car, m, k, f, front, rear);
    for (int i = 0; i < CRI_BY_COUNT; i++) {
        d.x[i] = -k->steer_sin * front[i];
        d.y[i] = k->steer_cos * front[i] + rear[i];
        d.torque[i] = car->front * front[i] - car->rear * rear[i];
    }
    bool stops = car->pedal * k->input.brake >= car->mass * fabs(m.u) / k->dt;
    d.x[CRI_BY_U] += resist_slope(car, m.u) - (stops ? car->mass / k->dt : 0);
    d.x[CRI_BY_STEER] -= k->steer_cos * f->front;
    d.x[CRI_BY_THROTTLE] += car->pedal;
    d.x[CRI_BY_BRAKE] += stops ? 0 : (m.u < 0 ? car->pedal : -car->pedal);
    d.y[CRI_BY_V] += resist_slope(car, m.v);
    d.y[CRI_BY_STEER] -= k->steer_sin * f->front;
    return d;
}

// What a force changes by, led on from slopes so far. `direct`: what does not come by the motion.
static void chain(const by_all d, const by_all direct, const cri_car_slopes *s, by_all out)
{
    double by_u = d[CRI_BY_U], by_v = d[CRI_BY_V], by_w = d[CRI_BY_W];
    for (int i = 0; i < CRI_BY_COUNT; i++) {
        out[i] = by_u * s->u[i] + by_v * s->v[i] + by_w * s->w[i] + direct[i];
    }
}

static void chain_forces(const force_slopes *d, const cri_car_slopes *s, force_slopes *out)
{
    force_slopes direct = *d;
    for (int i = CRI_BY_U; i <= CRI_BY_W; i++) {
        direct.x[i] = direct.y[i] = direct.torque[i] = 0;
    }
    chain(d->x, direct.x, s, out->x);
    chain(d->y, direct.y, s, out->y);
    chain(d->torque, direct.torque, s, out->torque);
}

// Lead slopes on by a substep. In the car's frame: velocities change by the forces, then the frame
// turns below them, by an angle so small that a few terms of its sine and cosine will do.
static void lead_slopes(const cr_car *car, cri_drive_motion m, const controls *k, const forces *f,
                        cri_car_slopes *s)
{
    force_slopes d = differentiate(car, m, k, f), change;
    chain_forces(&d, s, &change);
    double dt = k->dt, by_mass = dt / car->mass, by_inertia = dt / car->inertia;
    double p = m.u + by_mass * f->x, q = m.v + by_mass * f->y;
    double turn = dt * (m.w + by_inertia * f->torque), square = turn * turn;
    double sine = turn * (1 - square / 6), cosine = 1 - square / 2 + square * square / 24;
    double u = cosine * p + sine * q, v = cosine * q - sine * p;
    for (int i = 0; i < CRI_BY_COUNT; i++) {
        double dp = s->u[i] + by_mass * change.x[i];
        double dq = s->v[i] + by_mass * change.y[i];
        double dw = s->w[i] + by_inertia * change.torque[i];
        s->u[i] = cosine * dp + sine * dq + v * dt * dw;
        s->v[i] = cosine * dq - sine * dp - u * dt * dw;
        s->w[i] = dw;
        s->heading[i] += dt * dw;
    }
}

// ---------------------------------------------------------------------------------------------
// Steps

// Semi-implicit: new velocities move the car.
static cr_car_state advance(const cr_car *car, cr_car_state s, const forces *f, double dt, double c,
                            double sn)
{
    double ax = f->x / car->mass, ay = f->y / car->mass;
    s.vx += dt * (c * ax - sn * ay);
    s.vy += dt * (sn * ax + c * ay);
    s.x += dt * s.vx;
    s.y += dt * s.vy;
    s.spin += dt * (f->torque / car->inertia);
    s.heading += dt * s.spin;
    return s;
}

static cr_car_state substep(const cr_car *car, cr_car_state s, const controls *k,
                            cri_car_slopes *slopes)
{
    double c, sn;
    cri_sin_cos(s.heading, &sn, &c);
    cri_drive_motion m = {c * s.vx + sn * s.vy, c * s.vy - sn * s.vx, s.spin};
    forces f = sum_forces(car, m, k);
    if (slopes) {
        lead_slopes(car, m, k, &f, slopes);
    }
    return advance(car, s, &f, k->dt, c, sn);
}

cr_car_state cr_car_step(const cr_car *car, cr_car_state state, cr_car_input input)
{
    controls k = make_controls(car, input);
    for (int i = 0; i < car->substeps; i++) {
        state = substep(car, state, &k, NULL);
    }
    return state;
}

cr_car_state cri_car_step_slopes(const cr_car *car, cr_car_state state, cr_car_input input,
                                 cri_car_slopes *slopes)
{
    controls k = make_controls(car, input);
    *slopes = (cri_car_slopes){.u[CRI_BY_U] = 1, .v[CRI_BY_V] = 1, .w[CRI_BY_W] = 1};
    for (int i = 0; i < car->substeps; i++) {
        state = substep(car, state, &k, slopes);
    }
    return state;
}

// Balanced yaw means that front and rear pull alike, weighed by their arms. From the rear's slip
// follows its force, from this the front's, from this the steering.
cri_pull cri_car_pull(const cr_car *car, double speed, double slip, double across, double pedal)
{
    double u = speed * cri_cos(slip), v = speed * cri_sin(slip), w = across / speed;
    double below = fmax(fabs(u), CREEP);
    double side_slip = cri_atan2(v, below);
    double turn_slip = cri_atan2((car->front + car->rear) * 0.5 * w, below);
    double load = car->mass * CRI_GRAVITY * 0.5;
    double rear = tyre(car->stiff_rear, car->grip, side_slip - turn_slip);
    double front = cri_clamp(rear * car->rear / car->front, -car->grip, car->grip);
    double steer = side_slip + turn_slip + front / car->stiff_front;
    double x = pedal - cri_sin(steer) * front * load + resist(car, u);
    double y = cri_cos(steer) * front * load + rear * load + resist(car, v);
    double c = cri_cos(slip), s = cri_sin(slip);
    return (cri_pull){(x * c + y * s) / car->mass, (y * c - x * s) / car->mass, steer};
}

bool cri_car_trim(const cr_car *car, double speed, double sideways, cri_trim *trim)
{
    double wanted = fabs(sideways), low = -0.72, high = 0.2;
    double half = 50 * car->pedal; // half throttle stands for all: it only shifts the slip a little
    for (int i = 0; i < 48; i++) {
        double middle = 0.5 * (low + high);
        if (cri_car_pull(car, speed, middle, wanted, half).across > wanted) {
            low = middle;
        } else {
            high = middle;
        }
    }
    cri_pull pull = cri_car_pull(car, speed, high, wanted, half);
    double sign = sideways < 0 ? -1 : 1;
    *trim = (cri_trim){{speed * cri_cos(high), sign * speed * cri_sin(high), sideways / speed},
                       sign * pull.steer};
    return fabs(pull.across - wanted) < 0.01 && fabs(pull.steer) < CR_CAR_MAX_STEER;
}
