export interface SlotLimits {
  /**
   * Maximum number of bodies read at the same time, for all tasks together; `perTask` is the maximum for each
   * task.
   */
  total: number
  perTask: number
  /**
   * Slots in addition to `total`, only for tasks that hold no slot, so that slow clients cannot lock others
   * out.
   */
  spare: number
}

/** Runs work of a task once a slot is free for it. */
export type Slots = <T>(taskId: number, work: () => Promise<T>) => Promise<T>

// Enough to keep a disk busy, and few enough to hold a chunk of each body in memory.
export const defaultSlots: SlotLimits = { total: 32, perTask: 6, spare: 128 }

/**
 * Creates a limiter for the request bodies that are read at the same time. Other bodies wait unread, so
 * clients with hundreds of requests are slowed down by the network instead of being refused. Tasks take
 * turns, so that no task waits for all requests of another.
 */
export function createSlots({ total, perTask, spare }: SlotLimits): Slots {
  // In turn order. A task is removed when none of its requests runs or waits.
  const tasks = new Map<number, { held: number; waiting: (() => void)[] }>()
  let held = 0

  function letNextIn(): void {
    for (const [id, task] of tasks) {
      if (task.held >= perTask || held >= (task.held > 0 ? total : total + spare)) continue
      const enter = task.waiting.shift()
      if (!enter) continue
      tasks.delete(id)
      tasks.set(id, task)
      task.held++
      held++
      enter()
      return
    }
  }

  return async (taskId, work) => {
    const task = tasks.get(taskId) ?? { held: 0, waiting: [] }
    tasks.set(taskId, task)
    const entered = new Promise<void>(enter => task.waiting.push(enter))
    letNextIn()
    await entered
    try {
      return await work()
    } finally {
      task.held--
      held--
      if (task.held === 0 && task.waiting.length === 0) tasks.delete(taskId)
      letNextIn()
    }
  }
}
