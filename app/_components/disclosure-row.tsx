'use client'
import { ChevronDownIcon, ChevronRightIcon } from '@primer/octicons-react'
import { type ReactNode, useId } from 'react'
import styles from './disclosure-row.module.css'

interface DisclosureRowProps {
  /** What the button is called: what the row is about. */
  name: string
  isOpen: boolean
  onToggle: () => void
  /** In the row, all of which the pointer can press; the words of the button are the row's own name. */
  summary: ReactNode
  /** At the end of the row. */
  aside?: ReactNode
  /** Below the row, while it is open. */
  children: ReactNode
}

/** A row of a list that opens below itself. */
export function DisclosureRow({
  name,
  isOpen,
  onToggle,
  summary,
  aside,
  children,
}: DisclosureRowProps): ReactNode {
  const id = useId()
  return (
    <li className={styles.row} data-open={isOpen || undefined}>
      <div className={styles.head}>
        <button
          type="button"
          className={styles.button}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          aria-label={name}
          onClick={onToggle}
        >
          {isOpen ? <ChevronDownIcon /> : <ChevronRightIcon />}
        </button>
        <div className={styles.summary}>{summary}</div>
        {aside ? <div className={styles.aside}>{aside}</div> : null}
      </div>
      {isOpen ? (
        <div id={id} className={styles.content}>
          {children}
        </div>
      ) : null}
    </li>
  )
}
