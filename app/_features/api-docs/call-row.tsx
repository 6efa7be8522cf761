'use client'
import { ChevronDownIcon, ChevronRightIcon, LockIcon } from '@primer/octicons-react'
import { type ReactNode, useState } from 'react'
import styles from './call-row.module.css'
import { type CallProps, CallSheet } from './call-sheet'

/** One line for a call; what there is to say about it is drawn once it is opened. */
export function CallRow(props: CallProps): ReactNode {
  const { id, method, path, summary, credentials } = props.call
  const [isOpen, setOpen] = useState(() => window.location.hash === `#${id}`)
  const Chevron = isOpen ? ChevronDownIcon : ChevronRightIcon

  const toggle = (): void => {
    setOpen(!isOpen)
    if (!isOpen) window.history.replaceState(window.history.state, '', `#${id}`)
  }

  return (
    <li id={id} className={styles.call}>
      <h3 className={styles.heading}>
        <button
          type="button"
          className={styles.line}
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-sheet` : undefined}
          onClick={toggle}
        >
          <Chevron className={styles.chevron} />
          <span className={styles.method} data-method={method}>
            {method}
          </span>
          <code className={styles.path}>{path}</code>
          <span className={styles.summary}>{summary}</span>
          {credentials === 'needed' ? (
            <LockIcon className={styles.lock} aria-label="Needs credentials" />
          ) : null}
        </button>
      </h3>
      {isOpen ? (
        <div id={`${id}-sheet`} className={styles.sheet}>
          <CallSheet {...props} />
        </div>
      ) : null}
    </li>
  )
}
