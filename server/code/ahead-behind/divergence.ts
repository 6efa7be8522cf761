/** By how many commits a branch is ahead of another and behind it, up to one more than the limit. */
export interface Divergence {
  ahead: number
  behind: number
}

const bitsPerWord = 32

/**
 * Counts for several commits, the tips, what each has in addition to another commit, the base, and what it lacks, while
 * the history of all of them is read once. `take` gets one commit after the other, each after all of its children.
 */
export class DivergenceCounter {
  // The base is the first bit of a mask, and the tips follow. A mask says which of them can reach a commit.
  readonly #words: number
  readonly #all: Uint32Array
  /** Masks of the commits that are known as parents or tips, and were not taken yet. */
  readonly #waiting = new Map<string, Uint32Array>()
  readonly #ahead: Int32Array
  readonly #behind: Int32Array
  /** Numbers of waiting commits that are on one side only, so that more can follow on this side. */
  readonly #openAhead: Int32Array
  readonly #openBehind: Int32Array
  #unsettled: number

  constructor(
    base: string,
    private readonly tips: readonly string[],
    private readonly limit: number,
  ) {
    const bits = tips.length + 1
    this.#words = Math.ceil(bits / bitsPerWord)
    this.#all = new Uint32Array(this.#words)
    for (let bit = 0; bit < bits; bit++) setBit(this.#all, bit)
    this.#ahead = new Int32Array(bits)
    this.#behind = new Int32Array(bits)
    this.#openAhead = new Int32Array(bits)
    this.#openBehind = new Int32Array(bits)
    // Each tip has two counts, and each is settled for now.
    this.#unsettled = 0
    for (const [index, id] of [base, ...tips].entries()) {
      const mask = new Uint32Array(this.#words)
      setBit(mask, index)
      this.#reach(id, mask)
    }
  }

  /** Whether nothing that follows can change the counts, up to the limit. */
  get isSettled(): boolean {
    return this.#unsettled === 0
  }

  take(id: string, parents: readonly string[]): void {
    const mask = this.#waiting.get(id)
    if (!mask) return
    for (const parent of parents) this.#reach(parent, mask)
    this.#waiting.delete(id)
    this.#change(mask, this.#ahead, this.#behind, 1)
    this.#change(mask, this.#openAhead, this.#openBehind, -1)
  }

  /** Returns the counts of each tip; undefined for a tip whose counts are not settled. */
  counts(): (Divergence | undefined)[] {
    return this.tips.map((_, index) => {
      const bit = index + 1
      if (this.#isOpen('ahead', bit) || this.#isOpen('behind', bit)) return undefined
      const most = this.limit + 1
      return {
        ahead: Math.min(this.#ahead[bit] ?? 0, most),
        behind: Math.min(this.#behind[bit] ?? 0, most),
      }
    })
  }

  #isOpen(side: 'ahead' | 'behind', bit: number): boolean {
    const [count, open] = side === 'ahead' ? [this.#ahead, this.#openAhead] : [this.#behind, this.#openBehind]
    return (open[bit] ?? 0) > 0 && (count[bit] ?? 0) <= this.limit
  }

  /** Notes that what the mask says can also reach this commit. */
  #reach(id: string, from: Uint32Array): void {
    const known = this.#waiting.get(id)
    if (known) this.#change(known, this.#openAhead, this.#openBehind, -1)
    const mask = known ?? new Uint32Array(this.#words)
    for (let word = 0; word < this.#words; word++) mask[word] = (mask[word] ?? 0) | (from[word] ?? 0)
    if (!known) this.#waiting.set(id, mask)
    this.#change(mask, this.#openAhead, this.#openBehind, 1)
  }

  /** Adds to the counts of each tip that is on another side of a commit than the base. */
  #change(mask: Uint32Array, ahead: Int32Array, behind: Int32Array, by: 1 | -1): void {
    const isOfBase = ((mask[0] ?? 0) & 1) === 1
    const side = isOfBase ? 'behind' : 'ahead'
    const counts = isOfBase ? behind : ahead
    for (let word = 0; word < this.#words; word++) {
      let rest = isOfBase ? ~(mask[word] ?? 0) & (this.#all[word] ?? 0) : (mask[word] ?? 0)
      while (rest !== 0) {
        const bit = word * bitsPerWord + 31 - Math.clz32(rest & -rest)
        rest &= rest - 1
        const wasOpen = this.#isOpen(side, bit)
        counts[bit] = (counts[bit] ?? 0) + by
        const isOpen = this.#isOpen(side, bit)
        if (wasOpen !== isOpen) this.#unsettled += isOpen ? 1 : -1
      }
    }
  }
}

function setBit(mask: Uint32Array, bit: number): void {
  const word = Math.floor(bit / bitsPerWord)
  mask[word] = (mask[word] ?? 0) | (1 << (bit % bitsPerWord))
}
