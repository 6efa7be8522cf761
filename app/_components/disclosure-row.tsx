'use client'
import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { ChevronDownIcon, ChevronRightIcon } from '@/app/_components/icons'
import styles from './disclosure-row.module.css'
import { Button } from './primer'

interface DisclosureRowProps {
  /** Accessible name of the button, such as the title of the row. */
  name: string
  /**
   * Label of the button at the end of the row. Without a label, the button is an arrow at the start of the
   * row.
   */
  label?: string
  isOpen: boolean
  onToggle: () => void
  /** Contents of the row. If the button is an arrow, clicking anywhere in the row presses it. */
  summary: ReactNode
  /** Contents at the end of the row. */
  aside?: ReactNode
  /** Contents below the row while it is open. */
  children: ReactNode
  /** Hides the contents when the row closes, instead of unmounting them. */
  keeps?: boolean
}

/** List row that expands. If it closes while the focus is inside, its button takes the focus. */
export function DisclosureRow({
  name,
  label,
  isOpen,
  onToggle,
  summary,
  aside,
  children,
  keeps = false,
}: DisclosureRowProps): ReactNode {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  const toggle = {
    ref: button,
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? id : undefined,
    'aria-label': name,
    onClick: onToggle,
  }
  return (
    <li className={styles.row} data-open={isOpen || undefined} data-labeled={label ? true : undefined}>
      <div className={styles.head}>
        {label ? null : (
          <button type="button" className={styles.button} {...toggle}>
            {isOpen ? <ChevronDownIcon /> : <ChevronRightIcon />}
          </button>
        )}
        <div className={styles.summary}>{summary}</div>
        {label || aside ? (
          <div className={styles.aside}>
            {label ? (
              <Button size="small" {...toggle}>
                {label}
              </Button>
            ) : null}
            {aside}
          </div>
        ) : null}
      </div>
      {isOpen || (keeps && wasOpen) ? (
        <Content id={id} isOpen={isOpen} button={button}>
          {children}
        </Content>
      ) : null}
    </li>
  )
}

interface ContentProps {
  id: string
  isOpen: boolean
  button: RefObject<HTMLButtonElement | null>
  children: ReactNode
}

function Content({ id, isOpen, button, children }: ContentProps): ReactNode {
  const content = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = content.current
    if (!isOpen || !element) return
    return () => {
      if (element.contains(document.activeElement)) button.current?.focus()
    }
  }, [isOpen, button])
  return (
    <div ref={content} id={id} className={styles.content} hidden={!isOpen}>
      {children}
    </div>
  )
}
