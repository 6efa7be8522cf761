'use client'
import { type ReactNode, useRef } from 'react'
import { Banner } from '@/app/_components/banner'
import { ConflictList } from '@/app/_components/conflict-list'
import { type Unit, units } from '@/server/access/units'
import type { PermissionChoice, PermissionDraft } from './permission-draft'
import { modeLabels, unitLabels } from './summaries'

interface ChangedNoticeProps {
  /** The team's permissions as they are now saved. */
  saved: PermissionDraft
  choice: PermissionChoice
  contested: readonly Unit[]
  onTake: (unit: Unit) => void
}

const labels = Object.fromEntries(units.map(unit => [unit, unitLabels[unit].name]))

/**
 * Warns that someone else has changed the team's permissions since editing started, and lists the units that
 * both have changed.
 */
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
        title={`Someone else changed these permissions while you were editing. ${what(choice, isOverruled)}`}
        description={
          conflicts.length > 0 ? (
            <>
              <p>You both changed these. Save to overwrite their changes, or use their version:</p>
              <ConflictList
                conflicts={conflicts}
                labels={labels}
                onTake={({ field }) => {
                  onTake(field as Unit)
                  // The pressed button disappears, so the focus moves to the notice, next to the remaining
                  // conflicts.
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
  if (isEmpty) return 'The current permissions are shown.'
  return isOverruled
    ? 'The team now has administrator access. Your changes apply only if you turn it off.'
    : 'Your changes are kept.'
}

const labelOf = (mode: keyof typeof modeLabels): string => modeLabels[mode].toLowerCase()
