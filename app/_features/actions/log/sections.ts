import type { ShownJob, ShownStep, ShownTask } from '@/server/actions/runs/schema'

/** A part of a log with a heading: a step, or the rows before or after all steps. */
export interface Section
  extends Pick<ShownStep, 'name' | 'status' | 'conclusion' | 'started_at' | 'completed_at'> {
  /** Identifies the section while the job runs. */
  key: string
  /** First row of the section. `to` is the row after its last one. */
  from: number
  to: number
  /** Whether more rows can follow at its end. */
  isGrowing: boolean
}

/** Divides the rows of a log among the steps of its job, so that every row is in exactly one section. */
export function sectionsOf(
  job: Pick<ShownJob, 'status' | 'conclusion'>,
  { steps, started_at, ended_at }: Pick<ShownTask, 'steps' | 'started_at' | 'ended_at'>,
  rows: number,
): Section[] {
  const isJobCompleted = job.status === 'completed'
  const hasBegun = (step: ShownStep): boolean => step.log_length > 0 || step.status === 'in_progress'
  const first = steps.findIndex(hasBegun)
  const last = steps.findLastIndex(hasBegun)
  const areStepsCompleted = steps.every(({ status }) => status === 'completed')
  const lastStep = steps[last]

  let at = Math.min(steps[first]?.log_index ?? rows, rows)
  const sections = steps.map((step, index): Section => {
    const from = at
    if (hasBegun(step)) {
      const next = steps.slice(index + 1).find(hasBegun)
      const end = next
        ? next.log_index
        : areStepsCompleted || isJobCompleted
          ? step.log_index + step.log_length
          : rows
      at = Math.min(Math.max(from, end), rows)
    }
    const { name, status, conclusion, started_at, completed_at } = step
    const own = { name, status, conclusion, started_at, completed_at }
    return {
      ...own,
      key: `step ${index}`,
      from,
      to: at,
      isGrowing: !isJobCompleted && step === lastStep && !areStepsCompleted,
    }
  })

  const started = steps.find(step => step.started_at)?.started_at ?? null
  const isSetUp = first >= 0 || started !== null
  const setUp: Section = {
    key: 'set up',
    name: 'Set up job',
    status: isSetUp || isJobCompleted ? 'completed' : 'in_progress',
    conclusion: isSetUp ? 'success' : job.conclusion,
    started_at,
    completed_at: started ?? ended_at,
    from: 0,
    to: Math.min(steps[first]?.log_index ?? rows, rows),
    isGrowing: !isSetUp && !isJobCompleted,
  }
  const isAfterSteps = steps.length > 0 && areStepsCompleted
  const complete: Section = {
    key: 'complete',
    name: 'Complete job',
    status: isJobCompleted ? 'completed' : isAfterSteps ? 'in_progress' : 'queued',
    conclusion: isJobCompleted ? 'success' : null,
    started_at: lastStep?.completed_at ?? null,
    completed_at: ended_at,
    from: at,
    to: rows,
    isGrowing: isAfterSteps && !isJobCompleted,
  }
  return [setUp, ...sections, ...(first >= 0 && (areStepsCompleted || isJobCompleted) ? [complete] : [])]
}
