'use client'
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { Button, FormControl, TextInput } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import styles from './uploads.module.css'

interface RenameFormProps {
  name: string
  /** Returns whether another file of the release has this name. */
  isInUse: (name: string) => boolean
  rename: (wanted: string) => Promise<unknown>
  onEnd: () => void
}

/** Form that renames a file in place. It is not a form element, because it is nested in the release form. */
export function RenameForm({ name, isInUse, rename, onEnd }: RenameFormProps): ReactNode {
  const [text, setText] = useState(name)
  const [obstacle, setObstacle] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const renaming = useMutation({
    mutationFn: rename,
    onSuccess: onEnd,
    onError: () => input.current?.focus(),
  })
  const obstacleTo = (wanted: string): string | undefined => {
    if (wanted === '.' || wanted === '..') return 'Enter a different name.'
    return isInUse(wanted) ? 'Another file has this name.' : undefined
  }
  const save = (): void => {
    const wanted = lastPart(text.trim())
    if (renaming.isPending) return
    if (wanted === '' || wanted === name) onEnd()
    else if (obstacleTo(wanted)) {
      setObstacle(obstacleTo(wanted))
      input.current?.focus()
    } else renaming.mutate(wanted)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') save()
    else if (event.key === 'Escape') onEnd()
    else return
    event.preventDefault()
  }
  const failure = renaming.error ? readFailure(renaming.error).message : undefined
  const problem = obstacle ?? failure
  return (
    <div className={styles.rename}>
      <FormControl>
        <FormControl.Label visuallyHidden>{`New name for ${name}`}</FormControl.Label>
        <TextInput
          ref={input}
          block
          autoFocus
          autoComplete="off"
          spellCheck={false}
          value={text}
          onKeyDown={onKeyDown}
          onFocus={({ target }) => target.setSelectionRange(0, stemLength(name))}
          onChange={event => {
            setText(event.target.value)
            setObstacle(undefined)
            if (renaming.isError) renaming.reset()
          }}
        />
        {problem ? <FormControl.Validation variant="error">{problem}</FormControl.Validation> : null}
      </FormControl>
      <div className={styles.actions}>
        <Button size="small" loading={renaming.isPending} onClick={save}>
          Rename
        </Button>
        <Button size="small" variant="invisible" onClick={onEnd}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

// Like the server, uses only the last part of a path.
const lastPart = (path: string): string => path.replace(/^.*[/\\]/s, '')

/** Returns the length of a file name without its extension. People usually change only this part. */
const stemLength = (name: string): number => {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? dot : name.length
}
