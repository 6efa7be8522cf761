'use client'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { ChevronDownIcon, ChevronUpIcon, SearchIcon } from '@/app/_components/icons'
import { IconButton, TextInput } from '@/app/_components/primer'
import { counted } from '@/app/_lib/format'
import { isShortcut } from '@/app/_lib/shortcut'
import { useDebounced } from '@/app/_lib/use-debounced'
import { createLogSearch, patternOf } from './find'
import type { Log } from './log'
import styles from './log-viewer.module.css'

interface LogSearchProps {
  log: Log
  version: number
  /** Scrolls to a row. */
  onGo: (row: number) => void
  /** Called with the pattern to highlight, or undefined without a text. */
  onPattern: (pattern: RegExp | undefined) => void
}

/** Search field for the whole log, which is fetched once a search starts. The "/" key focuses the field. */
export function LogSearch({ log, version, onGo, onPattern }: LogSearchProps): ReactNode {
  const [typed, setTyped] = useState('')
  const [shown, setShown] = useState<number>()
  const field = useRef<HTMLInputElement>(null)
  const text = useDebounced(typed, 150)
  const pattern = useMemo(() => (text ? patternOf(text) : undefined), [text])
  const total = log.total() ?? 0
  const isSearched = log.loaded() >= total
  useEffect(() => onPattern(pattern), [pattern, onPattern])
  useEffect(() => {
    void pattern
    setShown(undefined)
  }, [pattern])
  useEffect(() => {
    if (pattern) log.want(0, total)
  }, [pattern, log, total])
  useSlashKey(field)

  const find = useMemo(
    () => (pattern ? createLogSearch(row => log.rowAt(row)?.content, pattern) : undefined),
    [log, pattern],
  )
  const found = useMemo(() => {
    void version
    return find?.(log.total() ?? 0) ?? []
  }, [log, version, find])
  const at = shown === undefined ? -1 : found.indexOf(shown)

  const go = (step: 1 | -1): void => {
    const start = at < 0 && step === -1 ? 0 : at
    const next = found[(start + step + found.length) % found.length]
    if (next === undefined) return
    setShown(next)
    onGo(next)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault()
      go(event.shiftKey ? -1 : 1)
    }
    if (event.key === 'Escape' && typed) {
      event.preventDefault()
      setTyped('')
    }
  }
  return (
    <search className={styles.search}>
      <TextInput
        ref={field}
        size="small"
        leadingVisual={SearchIcon}
        aria-label="Search the log"
        placeholder="Search the log"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={typed}
        onChange={event => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <span role="status" className={styles.found}>
        {pattern && isSearched ? foundText(found.length, at) : ''}
      </span>
      {/* Not announced, because it changes with every part that is loaded. */}
      {pattern && !isSearched ? (
        <span aria-hidden="true" className={styles.found}>
          {found.length > 0 ? foundText(found.length, at) : 'Searching…'} (
          {Math.floor((100 * log.loaded()) / total)}%)
        </span>
      ) : null}
      <IconButton
        icon={ChevronUpIcon}
        size="small"
        variant="invisible"
        aria-label="Previous match"
        disabled={found.length === 0}
        onClick={() => go(-1)}
      />
      <IconButton
        icon={ChevronDownIcon}
        size="small"
        variant="invisible"
        aria-label="Next match"
        disabled={found.length === 0}
        onClick={() => go(1)}
      />
    </search>
  )
}

function foundText(found: number, at: number): string {
  if (found === 0) return 'No matches'
  return at < 0 ? counted(found, 'line', 'lines') : `${at + 1} of ${found.toLocaleString('en-US')}`
}

// In the capture phase, before the site search handles the key.
function useSlashKey(field: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== '/' || !isShortcut(event)) return
      event.preventDefault()
      field.current?.focus()
    }
    window.addEventListener('keydown', press, { capture: true })
    return () => window.removeEventListener('keydown', press, { capture: true })
  }, [field])
}
