import { describe, expect, it } from 'vitest';
import { WaitingUnits, UnitOrder } from './waiting-units.ts';

interface Unit {
  name: string;
  urgent: boolean;
  ms: number;
}

/** Urgent units have an uppercase name. The number is the time of the unit. */
const units = (...texts: string[]): Unit[] =>
  texts.map((text) => {
    const [name = '', ms = '1'] = text.split(':');
    return { name, urgent: name === name.toUpperCase(), ms: Number(ms) };
  });

const names = (given: readonly Unit[]) => given.map(({ name }) => name).join(' ');

it('waiting units are given out urgent ones first, and take back what has not run', () => {
  const waiting = new WaitingUnits<Unit>();
  for (const unit of units('a', 'b', 'X', 'c', 'Y', 'Z')) waiting.add(unit);
  const taken = waiting.take(2);
  expect(names(taken)).toBe('X Y a b');
  waiting.putBack(taken.filter(({ name }) => name === 'Y' || name === 'b'));
  for (const unit of units('d', 'W')) waiting.add(unit);
  expect(waiting.length).toBe(6);
  expect(names(waiting.take(9))).toBe('Y Z W b c d');
  expect(waiting.length).toBe(0);
});

describe('units take turns', () => {
  it.each<[what: string, given: string[], order: string]>([
    ['without urgent ones, in their order', ['a', 'b', 'c'], 'a b c'],
    ['urgent ones alone, in their order', ['X:9', 'Y:9', 'Z'], 'X Y Z'],
    ['an urgent one goes first', ['a', 'X'], 'X a'],
    ['urgent ones as long as they have had no more time', ['a:5', 'b:5', 'X:1', 'Y:3', 'Z:9'], 'X a Y Z b'],
    ['after a long urgent one, the others catch up', ['a:2', 'b:2', 'c:2', 'X:4', 'Y:1'], 'X a b Y c'],
    ['when the others are done, the rest of the urgent ones', ['a', 'X:9', 'Y:9', 'Z:9'], 'X a Y Z'],
  ])('%s', (_what, given, order) => {
    const unitOrder = new UnitOrder(units(...given));
    const ran: Unit[] = [];
    for (let unit = unitOrder.next(); unit; unit = unitOrder.next()) {
      ran.push(unit);
      unitOrder.spend(unit, unit.ms);
    }
    expect(names(ran)).toBe(order);
  });

  it.each<[what: string, given: string[], lead: number, first: string]>([
    ['that of the transaction before counts', ['a', 'X'], 1, 'a'],
    ['it counts for urgent ones, too', ['a', 'X'], -1, 'X'],
    ['without others it does not', ['X'], 1, 'X'],
  ])('%s', (_what, given, lead, first) => {
    expect(new UnitOrder(units(...given), lead).next()?.name).toBe(first);
  });

  it('time counts only while both kinds wait', () => {
    const [urgent, other] = units('X:4', 'a:1');
    if (!urgent || !other) throw new Error('There are two.');
    const unitOrder = new UnitOrder([urgent, other]);
    for (const unit of [urgent, other]) unitOrder.spend(unit, unit.ms);
    expect(unitOrder.urgentLeadMs).toBe(3);
    const alone = new UnitOrder([urgent]);
    alone.spend(urgent, 4);
    expect(alone.urgentLeadMs).toBe(0);
  });
});
