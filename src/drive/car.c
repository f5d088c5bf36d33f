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
    double c = cri_cos(state->heading), s = cri_sin(state->heading);
    return (cr_vec2){c * state->vx + s * state->vy, c * state->vy - s * state->vx};
}

cri_motion cri_car_motion(const cr_car_state *state)
{
    cr_vec2 local = cr_car_local(state);
    return (cri_motion){local.x, local.y, state->spin};
}

cr_car_state cri_car_at_origin(cri_motion motion)
{
    return (cr_car_state){.vx = motion.u, .vy = motion.v, .spin = motion.w};
}

double cri_motion_distance(cri_motion a, cri_motion b)
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
    double brake = fmin(car->pedal * input.brake, car->mass * fabs(u) / dt);
    return car->pedal * input.throttle - (u < 0 ? -brake : brake);
}

typedef struct forces {
    double x, y, torque;
} forces;

// An input with what is the same for all substeps.
typedef struct controls {
    cr_car_input input;
    double steer_cos, steer_sin, dt;
} controls;

static forces sum_forces(const cr_car *car, cri_motion m, const controls *k)
{
    double below = fmax(fabs(m.u), CREEP);
    double side_slip = cri_atan2(m.v, below);
    double turn_slip = cri_atan2((car->front + car->rear) * 0.5 * m.w, below);
    double steer = k->input.steer * cri_clamp(m.u / CREEP, -1, 1);
    double load = car->mass * CRI_GRAVITY * 0.5;
    double front = load * tyre(car->stiff_front, car->grip, side_slip + turn_slip - steer);
    double rear = load * tyre(car->stiff_rear, car->grip, side_slip - turn_slip);
    return (forces){
        .x = pedals(car, k->input, m.u, k->dt) - k->steer_sin * front + resist(car, m.u),
        .y = k->steer_cos * front + rear + resist(car, m.v),
        .torque = car->front * front - car->rear * rear,
    };
}

static cr_car_state substep(const cr_car *car, cr_car_state s, const controls *k)
{
    double dt = k->dt;
    double c = cri_cos(s.heading), sn = cri_sin(s.heading);
    cri_motion m = {c * s.vx + sn * s.vy, c * s.vy - sn * s.vx, s.spin};
    forces f = sum_forces(car, m, k);
    double ax = f.x / car->mass, ay = f.y / car->mass;
    s.vx += dt * (c * ax - sn * ay);
    s.vy += dt * (sn * ax + c * ay);
    s.x += dt * s.vx;
    s.y += dt * s.vy;
    s.spin += dt * (f.torque / car->inertia);
    s.heading += dt * s.spin;
    return s;
}

cr_car_state cr_car_step(const cr_car *car, cr_car_state state, cr_car_input input)
{
    input.steer = cri_clamp(input.steer, -CR_CAR_MAX_STEER, CR_CAR_MAX_STEER);
    input.throttle = cri_clamp(input.throttle, -100, 100);
    input.brake = cri_clamp(input.brake, 0, 100);
    controls k = {input, cri_cos(input.steer), cri_sin(input.steer),
                  1.0 / CR_DRIVE_RATE / car->substeps};
    for (int i = 0; i < car->substeps; i++) {
        state = substep(car, state, &k);
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
