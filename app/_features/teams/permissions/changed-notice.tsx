'use client'
import { type ReactNode, useRef } from 'react'
import { Banner } from '@/app/_components/banner'
import { ConflictList } from '@/app/_components/conflict-list'
import { type Unit, units } from '@/server/access/units'
import type { PermissionChoice, PermissionDraft } from './permission-draft'
import { modeLabels, unitLabels } from './summaries'

interface ChangedNoticeProps {
  /** What the team may do by now. */
  saved: PermissionDraft
  choice: PermissionChoice
  contested: readonly Unit[]
  onTake: (unit: Unit) => void
}

const labels = Object.fromEntries(units.map(unit => [unit, unitLabels[unit].name]))

/** Says that the permissions are others by now than those that were chosen from, and what both have changed. */
export function ChangedNotice({ saved, choice, contested, onTake }: ChangedNoticeProps): ReactNode {
  const notice = useRef<HTMLDivElement>(null)
  const isOverruled = saved.administrator && choice.administrator === undefined
  const conflicts = units.flatMap(unit => {
    const mine = choice.modes[unit]
    if (isOverruled || mine === undefined || !contested.includes(unit)) return []
    return [{ field: unit, theirs: labelOf(saved.modes[unit]), mine: labelOf(mine) }]
  })
  return (
    <div ref={notice} role="alert" tabIndex={-1}>
      <Banner
        variant="warning"
        title={`Somebody else has changed these permissions in the meantime; ${what(choice, isOverruled)}`}
        description={
          conflicts.length > 0 ? (
            <>
              <p>Both of you have changed these. Saving replaces theirs with yours; or take theirs:</p>
              <ConflictList
                conflicts={conflicts}
                labels={labels}
                onTake={({ field }) => {
                  onTake(field as Unit)
                  // The button goes; the keyboard stays beside what is left to settle.
                  notice.current?.focus()
                }}
              />
            </>
          ) : undefined
        }
      />
    </div>
  )
}

function what(choice: PermissionChoice, isOverruled: boolean): string {
  const isEmpty = choice.administrator === undefined && Object.keys(choice.modes).length === 0
  if (isEmpty) return 'they are shown as they are now'
  return isOverruled
    ? 'the team has administrator access now, and your changes of single parts count only without it'
    : 'your own changes are kept'
}

const labelOf = (mode: keyof typeof modeLabels): string => modeLabels[mode].toLowerCase()
