'use client'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '@/app/_components/primer'
import styles from './find-file.module.css'

interface GoToLineDialogProps {
  /** Number of lines of the file. */
  lines: number
  onGo: (from: number, to: number) => void
  onClose: () => void
}

const form = /^L?(\d{1,9})(?: ?[-–] ?L?(\d{1,9}))?$/i

/** Dialog that asks for the number of a line, or for a range of lines. */
export function GoToLineDialog({ lines, onGo, onClose }: GoToLineDialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  useEffect(() => dialog.current?.showModal(), [])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const [, from = '', to = from] = form.exec(text.trim()) ?? []
    const isInFile = [from, to].every(number => Number(number) >= 1 && Number(number) <= lines)
    if (!isInFile) {
      setWrong(true)
      return
    }
    dialog.current?.close()
    onGo(Number(from), Number(to))
  }
  return (
    <dialog
      ref={dialog}
      className={`${styles.dialog} ${styles.small}`}
      aria-label="Go to line"
      onClose={onClose}
    >
      <form onSubmit={submit} className={styles.row}>
        <input
          className={styles.field}
          aria-label="Line or range of lines"
          aria-invalid={isWrong}
          aria-describedby="line-hint"
          placeholder="10 or 10-20"
          inputMode="text"
          autoComplete="off"
          value={text}
          onChange={event => {
            setText(event.target.value)
            setWrong(false)
          }}
        />
        <Button type="submit">Go</Button>
      </form>
      <p id="line-hint" role="status" className={styles.status} data-wrong={isWrong || undefined}>
        {isWrong
          ? `There is no such line. Enter a number from 1 to ${lines.toLocaleString('en-US')}, or a range such as 10-20.`
          : ''}
      </p>
    </dialog>
  )
}
