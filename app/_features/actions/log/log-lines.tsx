'use client'
import { memo, type ReactNode, useEffect, useRef, useState } from 'react'
import type { ShownLine } from './fold'
import type { Log } from './log'
import { type LineActions, LogLine } from './log-line'
import type { LineRange } from './use-lines'

export interface LinesProps {
  log: Log
  lines: readonly ShownLine[]
  selected: LineRange | undefined
  hasTime: boolean
  pattern: RegExp | undefined
  actions: LineActions
  /** The row whose number can be reached with the Tab key. */
  stop: number | undefined
  /** Another row that is always rendered, such as the one to scroll to. */
  needed: number | undefined
}

const chunkLines = 100
/** Height of a line that is not wrapped, in pixels. */
export const lineHeight = 20

/** Lists log lines. Only those near the viewport are rendered. */
export function LogLines({ lines, stop, needed, ...rest }: LinesProps): ReactNode {
  const chunks: ReactNode[] = []
  for (let at = 0; at < lines.length; at += chunkLines) {
    const some = lines.slice(at, at + chunkLines)
    const ownStop = isAmong(some, stop) ? stop : undefined
    const isNeeded = ownStop !== undefined || isAmong(some, needed)
    chunks.push(<MemoizedChunk key={at} lines={some} stop={ownStop} isNeeded={isNeeded} {...rest} />)
  }
  return chunks
}

const isAmong = (lines: readonly ShownLine[], row: number | undefined): boolean =>
  row !== undefined && row >= (lines[0]?.row ?? Infinity) && row <= (lines.at(-1)?.row ?? -1)

interface ChunkProps extends Omit<LinesProps, 'needed'> {
  isNeeded: boolean
}

function Chunk({ lines, stop, isNeeded, log, selected, ...rest }: ChunkProps): ReactNode {
  const container = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  // Height per line when the chunk was last rendered, because lines can be wrapped.
  const height = useRef(lineHeight)
  useEffect(() => {
    const element = container.current
    if (!element) return
    return watch(element, isIntersecting => {
      const drawn = element.children.length
      if (drawn > 0) height.current = element.offsetHeight / drawn
      setNear(isIntersecting)
    })
  }, [])
  const isDrawn = isNear || isNeeded
  return (
    <div ref={container} style={isDrawn ? undefined : { height: height.current * lines.length }}>
      {isDrawn
        ? lines.map(line => {
            const row = log.rowAt(line.row)
            const number = line.row + 1
            const isSelected = selected !== undefined && number >= selected.first && number <= selected.last
            const own = { line, isSelected, isStop: line.row === stop }
            return row ? <LogLine key={line.row} row={row} {...own} {...rest} /> : null
          })
        : null}
    </div>
  )
}

// Memoized because a long log has thousands of chunks, of which most don't change when it grows.
const MemoizedChunk = memo(
  Chunk,
  ({ lines: before, ...others }, { lines: after, ...next }) =>
    before.length === after.length &&
    before.every((line, at) => line === after[at]) &&
    Object.entries(others).every(([name, value]) => Object.is(value, next[name as keyof typeof next])),
)

const watchers = new WeakMap<Element, (isIntersecting: boolean) => void>()
let observer: IntersectionObserver | undefined

/**
 * Calls back when an element comes near the viewport, and when it leaves again. Returns a function that stops
 * this.
 */
function watch(element: Element, call: (isIntersecting: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    entries => {
      for (const { target, isIntersecting } of entries) watchers.get(target)?.(isIntersecting)
    },
    { rootMargin: '1500px 0px' },
  )
  watchers.set(element, call)
  observer.observe(element)
  return () => {
    watchers.delete(element)
    observer?.unobserve(element)
  }
}
