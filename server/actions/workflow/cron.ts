import { isValidCron } from '@actions/workflow-parser/model/converter/cron'
import { Cron } from 'croner'

/** Schedule of a workflow as its file says it. */
export interface Schedule {
  /** Five fields or a word such as `@daily`, which can follow a time zone as in `TZ=Europe/Berlin`. */
  cron: string
  timezone: string
}

const words = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']
export const maxCronLength = 255
export const maxTimezoneLength = 100

/** Returns the first time of a schedule after a date; null if there is none or the schedule is invalid. */
export function nextTime(schedule: Schedule, after: Date): Date | null {
  const { pattern, timezone } = parse(schedule)
  try {
    // GitHub also accepts steps without a range, such as 20/15.
    return new Cron(pattern, { timezone, paused: true, sloppyRanges: true }).nextRun(after)
  } catch {
    return null
  }
}

/** Returns what is wrong with a schedule and what would be right; undefined if nothing is. */
export function mistakeIn(schedule: Schedule): string | undefined {
  const { cron, timezone: named } = schedule
  if (cron.length > maxCronLength) return `The cron pattern must be at most ${maxCronLength} characters.`
  const { pattern, timezone } = parse(schedule)
  if (!isTimezone(timezone))
    return `Unknown time zone '${timezone.slice(0, maxTimezoneLength)}'. Use a name such as Europe/Berlin.`
  if (timezone !== named && named !== 'UTC')
    return `The schedule has two time zones: ${timezone} and ${named}.`
  if (!words.includes(pattern) && !isValidCron(pattern))
    return `'${cron}' is not a valid cron pattern. Use five fields (minute, hour, day, month, weekday) or ${words.join(', ')}.`
  return nextTime(schedule, new Date()) ? undefined : `No day matches the cron pattern '${cron}'.`
}

function parse({ cron, timezone }: Schedule): { pattern: string; timezone: string } {
  const [, named, pattern = cron.trim()] = /^(?:CRON_)?TZ=(\S+)\s+(.*)$/s.exec(cron.trim()) ?? []
  return { pattern: pattern.startsWith('@') ? pattern.toLowerCase() : pattern, timezone: named ?? timezone }
}

function isTimezone(name: string): boolean {
  if (name.length > maxTimezoneLength) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}
