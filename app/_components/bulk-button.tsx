'use client'
import type { ReactNode } from 'react'
import { listNames } from '@/app/_lib/format'
import { ConfirmButton } from './confirm-button'

interface BulkButtonProps {
  /** "Delete" and "Deleted"; or all that is said once it is done. */
  verb: string
  done: string | (() => string)
  /** "3 SSH keys". */
  many: string
  /** What each of them is called. */
  names: readonly string[]
  /** Must be typed before the button of the dialog works. */
  typedName?: string
  run: () => Promise<unknown>
  /** Forgets what was chosen and brings the list up to date. */
  onDone: () => unknown
  /** What stops working. */
  children: ReactNode
}

const maxNames = 5

/** A button that asks before it destroys what is chosen of a list: how many there are, and which. */
export function BulkButton(props: BulkButtonProps): ReactNode {
  const { verb, done, many, names, typedName, run, onDone, children } = props
  const label = `${verb} ${many}`
  return (
    <ConfirmButton
      label={label}
      size="small"
      title={`${label}?`}
      confirm={label}
      run={run}
      done={typeof done === 'string' ? `${done} ${many}` : done}
      {...(typedName !== undefined && { typedName })}
      onDone={onDone}
    >
      <p>
        <strong dir="auto">{listNames({ total: names.length, names: names.slice(0, maxNames) })}</strong>
      </p>
      {children}
    </ConfirmButton>
  )
}
