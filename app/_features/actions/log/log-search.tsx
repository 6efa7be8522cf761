'use client'
import { ChevronDownIcon, ChevronUpIcon, SearchIcon } from '@primer/octicons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { IconButton, TextInput } from '@/app/_components/primer'
import { counted } from '@/app/_lib/format'
import { useDebounced } from '@/app/_lib/use-debounced'
import { findRows, patternOf } from './find'
import type { Log } from './log'
import styles from './log-viewer.module.css'

interface LogSearchProps {
  log: Log
  version: number
  /** Leads to a row. */
  onGo: (row: number) => void
  /** Marks what matches; undefined without a text. */
  onPattern: (pattern: RegExp | undefined) => void
}

/** Finds lines of the whole log, which is fetched for it. The key "/" leads here. */
export function LogSearch({ log, version, onGo, onPattern }: LogSearchProps): ReactNode {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState<number>()
  const field = useRef<HTMLInputElement>(null)
  const text = useDebounced(typed, 150)
  const pattern = useMemo(() => (text ? patternOf(text) : undefined), [text])
  const total = log.total() ?? 0
  useEffect(() => onPattern(pattern), [pattern, onPattern])
  useEffect(() => {
    setAt(undefined)
    if (pattern) log.want(0, total)
  }, [pattern, log, total])
  useSlashKey(field)

  const found = useMemo(() => {
    void version
    return pattern ? findRows(row => log.rowAt(row)?.content, log.total() ?? 0, pattern) : []
  }, [log, version, pattern])

  const go = (step: 1 | -1): void => {
    if (found.length === 0) return
    const next =
      at === undefined ? (step === 1 ? 0 : found.length - 1) : (at + step + found.length) % found.length
    setAt(next)
    onGo(found[next] ?? 0)
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
        {pattern ? foundWords(found.length, at, log) : ''}
      </span>
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

function foundWords(found: number, at: number | undefined, log: Log): string {
  const [loaded, total] = [log.loaded(), log.total() ?? 0]
  const share = loaded < total ? ` (${Math.floor((100 * loaded) / total)}% searched)` : ''
  if (found === 0) return share ? `Searching…${share}` : 'No matches'
  const count =
    at === undefined ? counted(found, 'line', 'lines') : `${at + 1} of ${found.toLocaleString('en-US')}`
  return count + share
}

function useSlashKey(field: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      if (
        event.target instanceof Element &&
        event.target.closest('input, textarea, select, [contenteditable]')
      )
        return
      event.preventDefault()
      field.current?.focus()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [field])
}
