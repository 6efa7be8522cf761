export interface SlotLimits {
  /** Bodies that are read at the same time, of all tasks and of each one. */
  total: number
  perTask: number
  /** More than `total`, for tasks of which nothing is read yet, so that slow clients cannot lock others out. */
  spare: number
}

/** Runs work of a task when there is a slot for it. */
export type Slots = <T>(taskId: number, work: () => Promise<T>) => Promise<T>

// Enough to keep a disk busy, and little enough to hold a piece of each body in memory.
export const defaultSlots: SlotLimits = { total: 32, perTask: 6, spare: 128 }

/**
 * Creates a limiter of the bodies that are read at the same time. What waits is not read, so that clients with hundreds
 * of requests are slowed down by the network, not refused. Tasks take turns, so that none waits for all requests of
 * another.
 */
export function createSlots({ total, perTask, spare }: SlotLimits): Slots {
  // In the order of their turns. A task is removed when nothing of it runs or waits.
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
