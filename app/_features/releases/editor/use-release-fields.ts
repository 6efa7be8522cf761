'use client'
import { useRef, useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import type { SaveConflict } from '@/app/_lib/use-save-form'
import type { ReleaseValues } from './release-values'

/** State of the release form, with the values saved on the server and the conflicts with them. */
export interface ReleaseFields {
  form: UseFormReturn<ReleaseValues>
  /** Returns the values that were saved last. */
  saved: () => ReleaseValues
  /** Applies values saved on the server. Fields edited since `before` keep their edits and stay unsaved. */
  accept: (next: ReleaseValues, before: ReleaseValues) => void
  conflicts: readonly SaveConflict[]
  /**
   * Shows which fields conflict with values that someone else saved. Saving again overwrites those values.
   */
  showConflicts: (theirs: Record<string, string | boolean>) => void
  clearConflicts: () => void
  /** Replaces the viewer's value of a field with the one that someone else saved. */
  takeTheirs: (conflict: SaveConflict) => void
}

export function useReleaseFields(initial: ReleaseValues): ReleaseFields {
  const [first] = useState(initial)
  const form = useForm<ReleaseValues>({ defaultValues: first })
  const [conflicts, setConflicts] = useState<readonly SaveConflict[]>([])
  const saved = useRef(first)

  return {
    form,
    saved: () => saved.current,
    accept(next, before) {
      saved.current = next
      for (const [field, value] of Object.entries(next)) {
        if (form.getValues(field) === before[field] && value !== before[field]) form.setValue(field, value)
      }
      form.reset(next, { keepValues: true })
    },
    conflicts,
    showConflicts(theirs) {
      saved.current = { ...saved.current, ...theirs }
      setConflicts(
        Object.entries(theirs).map(([field, value]) => ({
          field,
          theirs: value,
          mine: form.getValues(field),
        })),
      )
      form.reset(saved.current, { keepValues: true })
    },
    clearConflicts: () => setConflicts([]),
    takeTheirs({ field, theirs }) {
      form.setValue(field, theirs, { shouldDirty: true })
      setConflicts(conflicts.filter(conflict => conflict.field !== field))
      form.setFocus(field)
    },
  }
}
