'use client'
import { useEffect, useMemo, useRef } from 'react'
import { kindOf } from './line'
import type { Log } from './log'
import type { Section } from './sections'

interface FailedLog {
  log: Log
  /** Version of the log. It changes with the log, which is mutable. */
  version: number
  sections: readonly Section[]
  /** Whether a failure is looked for. Only the first value counts: no job that ends later moves the page. */
  isWanted: boolean
}

/**
 * Calls back once with the row that shows why a job failed, as soon as it is loaded, unless the reader uses
 * the page before that or the URL already selects lines.
 */
export function useFailingLine(
  { log, version, sections, isWanted }: FailedLog,
  show: (row: number) => void,
): void {
  const isPending = useRef(isWanted)
  useEffect(() => {
    if (location.hash) isPending.current = false
    const stop = (): void => {
      isPending.current = false
    }
    for (const use of uses) window.addEventListener(use, stop, { passive: true })
    return () => {
      for (const use of uses) window.removeEventListener(use, stop)
    }
  }, [])
  const row = useMemo(() => {
    void version
    return isPending.current ? failingRow(sections, row => log.rowAt(row)?.content) : undefined
  }, [log, version, sections])
  useEffect(() => {
    if (row === undefined || !isPending.current) return
    isPending.current = false
    show(row)
  }, [row, show])
}

const uses = ['wheel', 'touchstart', 'pointerdown', 'keydown']

/**
 * Returns the last error in the first failed section with rows, or else its last visible row. Undefined until
 * all rows of that section are loaded.
 */
export function failingRow(
  sections: readonly Pick<Section, 'conclusion' | 'from' | 'to'>[],
  contentOf: (row: number) => string | undefined,
): number | undefined {
  const failed = sections.find(({ conclusion, from, to }) => conclusion === 'failure' && to > from)
  if (!failed) return undefined
  let last: number | undefined
  for (let row = failed.to - 1; row >= failed.from; row--) {
    const content = contentOf(row)
    if (content === undefined) return undefined
    const kind = kindOf(content)
    if (kind === 'error') return row
    if (kind !== 'endgroup') last ??= row
  }
  return last
}
