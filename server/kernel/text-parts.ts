/**
 * Element of a text pattern, such as a glob: characters that it accepts once or any number of times, a
 * repeated sequence, or a choice.
 */
export type Part =
  /** Any number of accepted characters, including none. */
  | { kind: 'many'; accepts: (letter: string) => boolean }
  | { kind: 'one'; accepts: (letter: string) => boolean }
  /** The parts in order, once or more. */
  | { kind: 'repeated'; parts: Part[] }
  | { kind: 'choice'; options: Part[][] }

/** States of a nondeterministic automaton: `one` consumes a character, `split` continues in each of its targets. */
type State =
  | { kind: 'one'; accepts: (letter: string) => boolean; next: number }
  | { kind: 'split'; next: number[] }
  | { kind: 'end' }

/** A compiled text pattern, as a nondeterministic finite automaton. */
export interface Program {
  states: State[]
  start: number
}

/** Compiles a text pattern, such as a glob, for `matchesParts`. */
export function compileParts(parts: readonly Part[]): Program {
  const states: State[] = [{ kind: 'end' }]
  const add = (state: State): number => states.push(state) - 1
  const compileAll = (sequence: readonly Part[], next: number): number =>
    sequence.reduceRight(compilePart, next)
  const compilePart = (next: number, part: Part): number => {
    switch (part.kind) {
      case 'one':
        return add({ ...part, next })
      case 'many': {
        const letter = add({ kind: 'one', accepts: part.accepts, next: states.length + 1 })
        return add({ kind: 'split', next: [next, letter] })
      }
      case 'repeated': {
        const again: State = { kind: 'split', next: [next] }
        const first = compileAll(part.parts, add(again))
        again.next.push(first)
        return first
      }
      case 'choice':
        return add({ kind: 'split', next: part.options.map(option => compileAll(option, next)) })
    }
  }
  const start = compileAll(parts, 0)
  return { states, start }
}

/**
 * Returns whether a compiled pattern matches a whole text. The time is proportional to the product of their
 * lengths: all states of the automaton are simulated together, without backtracking. The loops allocate no
 * memory, because they block the event loop.
 */
export function matchesParts({ states, start }: Program, text: string): boolean {
  const enteredAt = new Int32Array(states.length).fill(-1)
  let current: number[] = []
  let entered: number[] = []
  let step = 0
  const pending: number[] = []
  const enter = (first: number): void => {
    pending.push(first)
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (enteredAt[at] === step) continue
      enteredAt[at] = step
      const state = states[at]!
      if (state.kind === 'split') for (const next of state.next) pending.push(next)
      else entered.push(at)
    }
  }
  enter(start)
  for (const letter of text) {
    step += 1
    const left = current
    current = entered
    entered = left
    entered.length = 0
    for (const at of current) {
      const state = states[at]!
      if (state.kind === 'one' && state.accepts(letter)) enter(state.next)
    }
  }
  return entered.some(at => states[at]!.kind === 'end')
}
