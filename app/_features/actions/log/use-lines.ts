'use client'
import { useCallback, useEffect, useState } from 'react'

/** Lines of a log, counted from 1, with both ends included. */
export interface LineRange {
  first: number
  last: number
}

/** Returns the lines in a URL fragment, such as "#L12" or "#L12-L20". */
export function readLines(hash: string): LineRange | undefined {
  const [, one, other] = /^#L([1-9]\d{0,9})(?:-L([1-9]\d{0,9}))?$/.exec(hash) ?? []
  if (!one) return undefined
  const ends = [Number(one), Number(other ?? one)]
  return { first: Math.min(...ends), last: Math.max(...ends) }
}

const hashOf = ({ first, last }: LineRange): string => (first === last ? `#L${first}` : `#L${first}-L${last}`)

/** Returns the page's URL with a fragment that selects these lines. */
export const addressOf = (lines: LineRange): string => location.href.replace(/#.*$/, '') + hashOf(lines)

interface SelectedLines {
  lines: LineRange | undefined
  /** Number of requests to scroll to the lines. */
  jumps: number
  /** Selects a line, or extends the selection to it. With `leads`, also scrolls to it. */
  select(line: number, options?: { extends?: boolean; leads?: boolean }): void
}

/**
 * State of the lines selected in the page's URL. Selecting other lines changes the URL with `replaceState`.
 */
export function useLines(): SelectedLines {
  const [state, setState] = useState<{ lines: LineRange | undefined; jumps: number }>({
    lines: undefined,
    jumps: 0,
  })
  useEffect(() => {
    const read = (): void => setState(({ jumps }) => ({ lines: readLines(location.hash), jumps: jumps + 1 }))
    read()
    window.addEventListener('hashchange', read)
    return () => window.removeEventListener('hashchange', read)
  }, [])

  const select = useCallback<SelectedLines['select']>((line, { extends: isExtended, leads } = {}) => {
    setState(({ lines, jumps }) => {
      const from = isExtended ? (lines?.first ?? line) : line
      const selected = { first: Math.min(from, line), last: Math.max(from, line) }
      return { lines: selected, jumps: leads ? jumps + 1 : jumps }
    })
  }, [])

  const { lines } = state
  useEffect(() => {
    if (lines && location.hash !== hashOf(lines))
      window.history.replaceState(window.history.state, '', hashOf(lines))
  }, [lines])
  return { ...state, select }
}
