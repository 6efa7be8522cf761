'use client'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import styles from './dropdown.module.css'
import { ChevronDownIcon } from './icons'

interface DropdownProps {
  /** Content of the button. */
  button: ReactNode
  /** Accessible name of the button, if it differs from its text. */
  label?: string
  variant?: 'default' | 'primary'
  /** The side on which the panel is aligned with the button. */
  align?: 'start' | 'end'
  /** Gets whether the panel is open, and a function that closes it. */
  children: (isOpen: boolean, close: () => void) => ReactNode
}

/** Button with a panel below it, which works before scripts have loaded. Escape and clicks elsewhere close it. */
export function Dropdown({
  button,
  label,
  variant = 'default',
  align = 'start',
  children,
}: DropdownProps): ReactNode {
  const holder = useRef<HTMLDetailsElement>(null)
  const [isOpen, setOpen] = useState(false)
  const close = (): void => {
    if (holder.current) holder.current.open = false
  }
  useEffect(() => {
    // It may have been opened before hydration.
    setOpen(holder.current?.open ?? false)
    const onPointer = (event: PointerEvent): void => {
      if (!(event.target instanceof Node) || holder.current?.contains(event.target)) return
      if (holder.current?.open) holder.current.open = false
    }
    document.addEventListener('pointerdown', onPointer)
    return () => document.removeEventListener('pointerdown', onPointer)
  }, [])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return
    event.stopPropagation()
    close()
    holder.current?.querySelector('summary')?.focus()
  }
  return (
    <details
      ref={holder}
      className={styles.slot}
      onToggle={event => setOpen(event.currentTarget.open)}
      onKeyDown={onKeyDown}
    >
      <summary className={variant === 'primary' ? styles.primary : styles.button} aria-label={label}>
        {button} <ChevronDownIcon />
      </summary>
      <div className={align === 'end' ? styles.end : styles.panel}>{children(isOpen, close)}</div>
    </details>
  )
}
