'use client'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { AlertFillIcon } from '@/app/_components/icons'
import { TextLink } from '@/app/_components/links'
import { TextInput } from '@/app/_components/primer'
import { codePath } from '@/app/_lib/paths'
import { visibleLine } from '@/app/_lib/visible-text'
import { useHydrated } from '@/app/_lib/workarounds/use-hydrated'
import styles from './edit.module.css'
import type { EditedRepository } from './edited-repository'
import { reopenFolder, type TypedPath, typeName } from './typed-path'

interface PathFieldProps {
  repository: EditedRepository
  branch: string
  path: TypedPath
  onChange: (path: TypedPath) => void
  problem: string | undefined
  /** Whether the field is focused when the page opens. */
  isFirst: boolean
}

/** Field for the path of a file: its directories, and a field for its name in which a slash completes a directory. */
export function PathField({
  repository,
  branch,
  path,
  onChange,
  problem,
  isFirst,
}: PathFieldProps): ReactNode {
  const hydrated = useHydrated()
  const field = useRef<HTMLInputElement>(null)
  const hint = useId()
  const problemId = useId()
  useEffect(() => {
    if (!isFirst || !hydrated) return
    field.current?.focus()
    const { value = '' } = field.current ?? {}
    const end = value.lastIndexOf('.')
    field.current?.setSelectionRange(0, end > 0 ? end : value.length)
  }, [isFirst, hydrated])
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    // The text comes next, not the commit.
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault()
    const { selectionStart, selectionEnd } = event.currentTarget
    if (event.key !== 'Backspace' || selectionStart !== 0 || selectionEnd !== 0) return
    const [last] = path.folders.slice(-1)
    if (last === undefined) return
    event.preventDefault()
    onChange(reopenFolder(path))
    requestAnimationFrame(() => field.current?.setSelectionRange(last.length, last.length))
  }
  return (
    <div className={styles.path}>
      <div className={styles.pathRow}>
        <TextLink href={codePath(repository, 'src', { kind: 'branch', name: branch })}>
          {repository.name}
        </TextLink>
        <span className={styles.slash}>/</span>
        {path.folders.map((folder, index) => (
          <span key={path.folders.slice(0, index + 1).join('/')} className={styles.folder}>
            <bdi>{visibleLine(folder)}</bdi>
            <span className={styles.slash}>/</span>
          </span>
        ))}
        <span className={styles.name}>
          <TextInput
            ref={field}
            block
            aria-label="Name of the file"
            aria-describedby={problem ? `${hint} ${problemId}` : hint}
            aria-required
            placeholder="name.txt"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            dir="auto"
            maxLength={4_000}
            readOnly={!hydrated}
            {...(problem && { validationStatus: 'error' as const })}
            value={path.name}
            onChange={event => onChange(typeName(path, event.target.value))}
            onKeyDown={onKeyDown}
          />
        </span>
        <span className={styles.muted}>
          in <bdi className={styles.branch}>{visibleLine(branch)}</bdi>
        </span>
      </div>
      {problem ? (
        <p id={problemId} className={styles.problem} role="alert">
          <AlertFillIcon size={12} /> {problem}
        </p>
      ) : null}
      <p id={hint} className={styles.hint}>
        Type / to add a directory. Backspace at the beginning of the name goes back to the one above.
      </p>
    </div>
  )
}
