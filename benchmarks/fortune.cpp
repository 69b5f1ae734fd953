// Random play of Fortune (default options) in plain C++: the yardstick for the compiled engine.
//
// The same algorithm and the same generator as parlour/games/fortune/rules/ and engine/drivers.py, so it must
// print the same number of decisions and the same checksum. Usage: fortune PLAYERS SEED GAMES STATE...,
// where STATE is the state before the first draw as numbers (core.struct.flatten).
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace {
enum Face { SKULL, SWORD, MONKEY, PARROT, GOLD, DIAMOND, FACES };
enum Card { C_GOLD, C_DIAMOND, SORCERESS, CAPTAIN, CHEST, MONKEYS, STORM, TRUCE, SKULLS1, SKULLS2, SEA2, SEA3, SEA4, CARDS };
enum Phase { DRAW_SEAT, DRAW_CARD, ROLL, DECIDE, OVER };
enum Fate { NONE, STOPPED, DISQUALIFIED, ISLAND, STORM_OVER };
constexpr int DICE = 8, SETS = 1287, TARGET = 8000;
constexpr int SET_WORTH[] = {0, 0, 0, 100, 200, 500, 1000, 2000, 4000, 4000};
constexpr int SEA_BONUS[] = {300, 500, 1000};

uint32_t rng[4];
uint32_t word() {
  uint32_t a = rng[0], b = rng[1], c = rng[2], counter = rng[3], w = a + b + counter;
  rng[0] = b ^ (b >> 9);
  rng[1] = c + (c << 3);
  rng[2] = ((c << 21) | (c >> 11)) + w;
  rng[3] = counter + 1;
  return w;
}
int below(int n) { return int((uint64_t(word()) * uint64_t(n)) >> 32); }
void seed(uint64_t s, uint32_t stream) {
  rng[0] = uint32_t(s), rng[1] = uint32_t(s >> 32), rng[2] = stream, rng[3] = 1;
  for (int i = 0; i < 15; i++) word();
}

// Actions are numbered as in rules/state.py: vectors (swords ... diamonds) with sum <= 8 in lexicographic order.
int32_t sets[2 * SETS];
int8_t size_of[2 * SETS];
int16_t rank_of[9][9][9][9][9];
struct Parts {
  std::vector<int16_t> list;
  std::array<int, SETS + 1> first{};
} parts, small_parts;

int16_t lowest[256 << 4];  // [places << 4 | n]: the first n of these places
int32_t throws[1555];
int first_throw[6] = {0, 1, 7, 43, 259, 1555};

void tables() {
  for (int places = 0; places < 256; places++)
    for (int n = 0; n < 16; n++)
      for (int i = 0, left = n; i < DICE && left; i++)
        if (places >> i & 1) lowest[places << 4 | n] = int16_t(lowest[places << 4 | n] | 1 << i), left--;
  for (int i = 1, k = 1; k <= 4; k++)
    for (int j = first_throw[k - 1]; j < first_throw[k]; j++)
      for (int f = 0; f < FACES; f++) throws[i++] = throws[j] + (1 << 4 * f);
  int n = 0;
  for (int a = 0; a <= 8; a++) for (int b = 0; a + b <= 8; b++) for (int c = 0; a + b + c <= 8; c++)
  for (int d = 0; a + b + c + d <= 8; d++) for (int e = 0; a + b + c + d + e <= 8; e++) {
    rank_of[a][b][c][d][e] = int16_t(n);
    sets[n] = a << 4 | b << 8 | c << 12 | d << 16 | e << 20;
    sets[n + SETS] = sets[n] | 1;
    size_of[n] = int8_t(a + b + c + d + e);
    size_of[n + SETS] = int8_t(size_of[n] + 1);
    n++;
  }
  for (int s = 0; s < SETS; s++) {
    int m[FACES];
    for (int f = 0; f < FACES; f++) m[f] = sets[s] >> 4 * f & 15;
    for (int a = 0; a <= m[1]; a++) for (int b = 0; b <= m[2]; b++) for (int c = 0; c <= m[3]; c++)
    for (int d = 0; d <= m[4]; d++) for (int e = 0; e <= m[5]; e++) {
      small_parts.list.push_back(rank_of[a][b][c][d][e]);
      if (a + b + c + d + e >= 2) parts.list.push_back(rank_of[a][b][c][d][e]);
    }
    parts.first[s + 1] = int(parts.list.size());
    small_parts.first[s + 1] = int(small_parts.list.size());
  }
}

struct State {
  int players, deck[CARDS], deck_size, round_limit;
  int phase, player, turns, scores[4], finisher, final_left;
  int8_t pile[64];
  int unseen[CARDS], turned;
  int card;
  int16_t places[FACES];
  int count[FACES], rolled, rolls, spell, island, fate, worth, loss;
};

int skulls(const State &s) { return s.count[SKULL] + (s.card == SKULLS1 ? 1 : s.card == SKULLS2 ? 2 : 0); }
int needed(const State &s) { return s.card >= SEA2 ? s.card - SEA2 + 2 : 0; }

int objects(const State &s, int sword, int monkey, int parrot, int gold, int diamond) {
  gold += s.card == C_GOLD;
  diamond += s.card == C_DIAMOND;
  int worth = SET_WORTH[sword] + SET_WORTH[gold] + SET_WORTH[diamond] + 100 * (gold + diamond);
  return worth + (s.card == MONKEYS ? SET_WORTH[monkey + parrot] : SET_WORTH[monkey] + SET_WORTH[parrot]);
}
bool few(int n) { return 0 < n && n < 3; }
int full_chest(const State &s) {
  const int *c = s.count;
  if (c[SKULL] || s.card == STORM || (few(c[SWORD]) && !needed(s))) return 0;
  if (s.card == MONKEYS) return few(c[MONKEY] + c[PARROT]) ? 0 : 500;
  return few(c[MONKEY]) || few(c[PARROT]) ? 0 : 500;
}
int worth_if_stopped(const State &s) {
  const int *c = s.count;
  if (s.card == STORM) return 200 * (c[GOLD] + c[DIAMOND]);
  if (s.card == TRUCE && c[SWORD]) return -1000 * c[SWORD];
  int need = needed(s);
  if (c[SWORD] < need) return -SEA_BONUS[need - 2];
  int worth = objects(s, c[SWORD], c[MONKEY], c[PARROT], c[GOLD], c[DIAMOND]) + full_chest(s);
  if (need) worth += SEA_BONUS[need - 2];
  return s.card == CAPTAIN ? 2 * worth : worth;
}
int worth_if_disqualified(const State &s) {
  if (s.card == CHEST) {
    int kept[FACES] = {};
    for (int f = 0; f < FACES; f++)
      for (int i = 0; i < DICE; i++) kept[f] += (s.places[f] & ~s.rolled) >> i & 1;
    return objects(s, kept[SWORD], kept[MONKEY], kept[PARROT], kept[GOLD], kept[DIAMOND]);
  }
  if (int need = needed(s)) return -SEA_BONUS[need - 2];
  return s.card == TRUCE ? -1000 * s.count[SWORD] : 0;
}

int legal(const State &s, int64_t *out) {
  const int *c = s.count;
  int free = rank_of[c[SWORD]][c[MONKEY]][c[PARROT]][c[GOLD]][c[DIAMOND]], n = 1;
  out[0] = 0;
  if (s.island) return out[1] = free, 2;
  if (skulls(s) < 3)
    for (int i = parts.first[free]; i < parts.first[free + 1]; i++) out[n++] = parts.list[i];
  if (s.card == SORCERESS && !s.spell && c[SKULL])
    for (int i = small_parts.first[free]; i < small_parts.first[free + 1]; i++)
      if (1 <= size_of[small_parts.list[i]]) out[n++] = SETS + small_parts.list[i];
  return n;
}

int random_action(const State &s, int64_t *out) {
  const int *c = s.count;
  if (s.island || s.card == SORCERESS || skulls(s) >= 3) return int(out[below(legal(s, out))]);
  int free = rank_of[c[SWORD]][c[MONKEY]][c[PARROT]][c[GOLD]][c[DIAMOND]];
  int i = below(parts.first[free + 1] - parts.first[free] + 1);
  return i ? parts.list[parts.first[free] + i - 1] : 0;
}

void end_turn(State &s, int fate) {
  int player = s.player;
  s.fate = fate;
  if (fate == ISLAND) s.loss = 100 * skulls(s) * (s.card == CAPTAIN ? 2 : 1);
  else s.worth = fate == DISQUALIFIED ? worth_if_disqualified(s) : worth_if_stopped(s);
  for (int seat = 0; seat < s.players; seat++) s.scores[seat] += seat == player ? s.worth : -s.loss;
  s.turns++;
  s.player = (player + 1) % s.players;
  s.phase = DRAW_CARD;
  if (s.final_left) {
    if (!--s.final_left) {
      int best = s.scores[0];
      for (int seat = 1; seat < s.players; seat++) best = best > s.scores[seat] ? best : s.scores[seat];
      if (best > TARGET) s.phase = OVER;
      s.finisher = -1;
    }
  } else if (s.scores[player] > TARGET) {
    s.finisher = player;
    s.final_left = s.players - 1;
  }
  if (s.turns >= s.round_limit * s.players && !s.final_left) s.phase = OVER;
}

void pick_up(State &s, int action) {
  const int wanted = sets[action];
  if (wanted & 15) s.spell = 1;
  int rolled = 0;
  for (int f = 0; f < FACES; f++) {
    int n = wanted >> 4 * f & 15;
    s.count[f] -= n;
    rolled |= lowest[s.places[f] << 4 | n];
  }
  s.rolled = rolled;
  s.phase = ROLL;
}

int roll(const State &s) {
  int n = DICE, outcome = 0;
  for (int f = 0; f < FACES; f++) n -= s.count[f];
  for (; n > 0; n -= 4) {
    int some = n < 4 ? n : 4;
    outcome += throws[first_throw[some] + below(first_throw[some + 1] - first_throw[some])];
  }
  return outcome;
}

int land(State &s, int outcome) {
  const int rolled = s.rolled;
  int landed = 0, taken = 0;
  for (int f = 0; f < FACES; f++) {
    int n = outcome >> 4 * f & 15;
    s.count[f] += n;
    landed += n;
    int places = lowest[rolled << 4 | landed];
    s.places[f] = int16_t((s.places[f] & ~rolled) | (places & ~taken));
    taken = places;
  }
  s.rolls++;
  s.phase = DECIDE;
  int total = skulls(s);
  if (s.rolls == 1 && total >= 4 && !needed(s)) s.island = 1;
  else if (s.island) {
    if (!(s.places[SKULL] & rolled)) return ISLAND;
  } else if (total >= 3 && !(total == 3 && s.card == SORCERESS && !s.spell)) return DISQUALIFIED;
  if (s.island && DICE - s.count[SKULL] < 2) return ISLAND;
  if (s.card == STORM && s.rolls == 2) return s.island ? ISLAND : STORM_OVER;
  return NONE;
}

void turn_card(State &s) {
  int kind;
  if (s.turned < s.deck_size) {
    int total = 0;
    for (int left : s.unseen) total += left;
    int left = below(total);
    for (kind = 0; (left -= s.unseen[kind]) >= 0;) kind++;
    s.pile[s.turned] = int8_t(kind);
    s.unseen[kind]--;
  } else kind = s.pile[s.turned % s.deck_size];
  s.turned++;
  s.card = kind;
  for (int &n : s.count) n = 0;
  s.rolled = 255;
  s.rolls = s.spell = s.island = s.fate = s.worth = s.loss = 0;
  s.phase = ROLL;
}
}  // namespace

int main(int argc, char **argv) {
  const int first = 4, deck = first + 1, round_limit = first + 27;  // where in the arguments
  if (argc <= round_limit) return fprintf(stderr, "usage: fortune PLAYERS SEED GAMES STATE...\n"), 2;
  tables();
  State start{};
  start.players = atoi(argv[1]);
  start.round_limit = atoi(argv[round_limit]);
  start.finisher = start.card = -1;
  for (int k = 0; k < CARDS; k++) start.deck_size += start.deck[k] = start.unseen[k] = atoi(argv[deck + k]);
  int64_t out[256], steps = 0, check = 0;
  const int games = atoi(argv[3]);
  const clock_t began = clock();  // processor time
  for (int game = 0; game < games; game++) {
    seed(strtoull(argv[2], nullptr, 10), uint32_t(game));
    State s = start;
    int64_t length = 0;
    while (s.phase != OVER) {
      int fate = NONE;
      if (s.phase == DECIDE) {
        int action = random_action(s, out);
        length++;
        if (action) pick_up(s, action);
        else fate = s.island ? ISLAND : skulls(s) >= 3 ? DISQUALIFIED : STOPPED;
      } else if (s.phase == ROLL) fate = land(s, roll(s));
      else if (s.phase == DRAW_CARD) turn_card(s);
      else s.player = below(s.players), s.phase = DRAW_CARD;
      if (fate) end_turn(s, fate);
    }
    steps += length;
    int64_t digest = rng[0], m = 2147483647;
    for (int seat = 0; seat < s.players; seat++) digest = digest * 31 + s.scores[seat];
    check = (check * 31 + length + (digest % m + m) % m) % m;
  }
  const double seconds = double(clock() - began) / CLOCKS_PER_SEC;
  printf("%lld %lld %.6f\n", (long long)steps, (long long)check, seconds);
}
