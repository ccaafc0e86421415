// One step of a wheel-brake controller: the pedal gives the pressure, skidding and faults change
// the mode.
enum mode { NORMAL, ALTERNATE, EMERGENCY };

struct brakes {
    int mode;
    int normal_pressure;
    int alternate_pressure;
    int skid_count;
};

int wheel_brake(struct brakes *state, int pedal, int auto_brake, int skid, int hydraulics_ok) {
    int command;
    if (pedal < 0)
        pedal = 0;
    else if (pedal > 4)
        pedal = 4;
    if (auto_brake && pedal == 0)
        command = 2;
    else
        command = pedal;

    if (skid) {
        state->skid_count++;
        if (command > 0)
            command--;
    } else {
        state->skid_count = 0;
    }

    if (state->mode == NORMAL && !hydraulics_ok)
        state->mode = ALTERNATE;
    else if (state->mode == ALTERNATE && (hydraulics_ok && state->skid_count == 0))
        state->mode = NORMAL;
    if (state->skid_count >= 3)
        state->mode = EMERGENCY;

    if (state->mode == NORMAL) {
        state->normal_pressure = command * 10;
        state->alternate_pressure = 0;
    } else if (state->mode == ALTERNATE) {
        state->normal_pressure = 0;
        state->alternate_pressure = command * 8;
    } else {
        state->normal_pressure = 0;
        state->alternate_pressure = command > 0 ? 40 : 0;
    }
    return state->normal_pressure + state->alternate_pressure;
}
