/**
 * Round-robin queue: each entry belongs to a lane, such as that of one client. The lanes take turns, and the
 * entries of one lane keep their order.
 */
export interface FairQueue<Entry> {
  /** Appends an entry to a lane. */
  push(lane: string, entry: Entry): void
  /** Removes an entry, if it is still queued. */
  remove(lane: string, entry: Entry): void
  /** Returns the first entry of each lane, starting with the lane whose turn is next. */
  heads(): [lane: string, entry: Entry][]
  /** Moves a lane behind all others, so that each of them has a turn before it. */
  moveToEnd(lane: string): void
  /**
   * Makes room for one more entry in a lane of a full queue, by removing the last entry of the longest lane if that is still
   * longer. Returns whether there is room, and the removed entry.
   */
  makeRoom(lane: string): { hasRoom: boolean; evicted?: Entry | undefined }
}

export function createFairQueue<Entry>(maxQueue: number): FairQueue<Entry> {
  const lanes = new Map<string, Entry[]>()
  let length = 0

  function remove(name: string, entry: Entry): void {
    const lane = lanes.get(name) ?? []
    const at = lane.indexOf(entry)
    if (at < 0) return
    lane.splice(at, 1)
    length--
    if (lane.length === 0) lanes.delete(name)
  }

  return {
    push(name, entry) {
      const lane = lanes.get(name)
      if (lane) lane.push(entry)
      else lanes.set(name, [entry])
      length++
    },
    remove,
    heads: () =>
      [...lanes].flatMap(([name, [first]]): [string, Entry][] =>
        first === undefined ? [] : [[name, first]],
      ),
    moveToEnd(name) {
      const lane = lanes.get(name)
      if (lane && lanes.delete(name)) lanes.set(name, lane)
    },
    makeRoom(name) {
      if (length < maxQueue) return { hasRoom: true }
      const [longest, lane] = [...lanes].reduce((a, b) => (b[1].length > a[1].length ? b : a), ['', []])
      if (lane.length <= (lanes.get(name)?.length ?? 0) + 1) return { hasRoom: false }
      const evicted = lane.at(-1)
      if (evicted !== undefined) remove(longest, evicted)
      return { hasRoom: true, evicted }
    },
  }
}
