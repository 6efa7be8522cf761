'use client'
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import type { Icon } from '@/app/_components/icons'
import { CheckIcon } from '@/app/_components/icons'
import styles from './menu.module.css'
import { PageLink } from './page-link'

/** Props for the button that opens the menu. */
export interface MenuButtonProps {
  'aria-label': string
  title: string
  popoverTarget: string
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

interface MenuProps {
  /** Accessible name of the button and the menu. */
  label: string
  button: (props: MenuButtonProps) => ReactNode
  children: ReactNode
}

/**
 * Menu of `MenuLink`, `MenuAction`, `MenuChoice`, and `MenuDivider` below its button. The browser opens it,
 * so links in it work before scripts have loaded. It keeps its position in the document for screen readers.
 */
export function Menu({ label, button, children }: MenuProps): ReactNode {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)

  // With this attribute, which React's `autoFocus` does not set, the browser itself moves the focus when it
  // opens the menu. The toggle event comes later, when keys may already have been pressed. This is a layout
  // effect because key events can be handled before other effects run.
  useLayoutEffect(() => menu.current?.setAttribute('autofocus', ''), [])
  // It may have been opened before hydration.
  useLayoutEffect(() => setOpen(menu.current?.matches(':popover-open') ?? false), [])

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !menu.current) return
    if (event.key === 'Tab') menu.current.hidePopover()
    const items = [...menu.current.querySelectorAll<HTMLElement>('[role^="menuitem"]')]
    const target = nextItem(items, items.indexOf(document.activeElement as HTMLElement), event.key)
    if (!target) return
    event.preventDefault()
    target.focus()
  }

  return (
    <span className={styles.slot}>
      {button({
        'aria-label': label,
        title: label,
        popoverTarget: id,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        onKeyDown: event => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          if (isOpen) return onKeyDown(event)
          event.preventDefault()
          event.currentTarget.click()
        },
      })}
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        className={styles.menu}
        onKeyDown={onKeyDown}
        onClick={event => {
          if ((event.target as Element).closest('[role^="menuitem"]')) menu.current?.hidePopover()
        }}
        onBeforeToggle={event => {
          if (event.newState === 'open') positionBelow(event.currentTarget)
        }}
        onToggle={event => {
          setOpen(event.newState === 'open')
          // If the user was fast, the focus is already on an item.
          if (event.newState !== 'open' || document.activeElement !== event.currentTarget) return
          event.currentTarget.querySelector<HTMLElement>('[role^="menuitem"]')?.focus()
        }}
      >
        {children}
      </div>
    </span>
  )
}

const margin = 8

/**
 * Aligns the right edge of a menu or another popover with that of the button before it, unless the window is too
 * narrow. It scrolls with the document.
 */
export function positionBelow(menu: HTMLElement): void {
  const button = menu.previousElementSibling?.getBoundingClientRect()
  if (!button) return
  const page = document.documentElement
  const width = Number.parseFloat(getComputedStyle(menu).width)
  const right = Math.min(page.clientWidth - button.right, page.clientWidth - margin - width)
  menu.style.top = `${button.bottom + window.scrollY + 4}px`
  menu.style.right = `${Math.max(margin, right)}px`
}

function nextItem(items: readonly HTMLElement[], at: number, key: string): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[(at + 1) % items.length]
  if (key === 'ArrowUp') return items[(at <= 0 ? items.length : at) - 1]
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if (key.length !== 1 || key === ' ') return undefined
  const begins = (item: HTMLElement): boolean =>
    (item.textContent ?? '').trim().toLowerCase().startsWith(key.toLowerCase())
  return [...items.slice(at + 1), ...items.slice(0, at + 1)].find(begins)
}

interface MenuLinkProps {
  href: string
  visual: ReactNode
  children: ReactNode
}

export function MenuLink({ href, visual, children }: MenuLinkProps): ReactNode {
  return (
    <PageLink href={href} role="menuitem" tabIndex={-1} className={styles.item}>
      <span className={styles.visual}>{visual}</span>
      <span className={styles.words}>{children}</span>
    </PageLink>
  )
}

interface MenuActionProps {
  visual: Icon
  danger?: boolean
  onSelect: () => void
  children: ReactNode
}

export function MenuAction({
  visual: Visual,
  danger = false,
  onSelect,
  children,
}: MenuActionProps): ReactNode {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={styles.item}
      data-danger={danger || undefined}
      onClick={onSelect}
    >
      <span className={styles.visual}>
        <Visual />
      </span>
      <span className={styles.words}>{children}</span>
    </button>
  )
}

interface MenuChoiceProps {
  /** Whether the item is one of several options (`radio`) or an independent switch (`checkbox`). */
  kind: 'radio' | 'checkbox'
  checked: boolean
  visual?: Icon
  onSelect: () => void
  children: ReactNode
}

export function MenuChoice({
  kind,
  checked,
  visual: Visual,
  onSelect,
  children,
}: MenuChoiceProps): ReactNode {
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles know it
    <button
      type="button"
      role={`menuitem${kind}`}
      aria-checked={checked}
      tabIndex={-1}
      className={styles.item}
      onClick={onSelect}
    >
      <span className={styles.visual}>{checked ? <CheckIcon /> : null}</span>
      {Visual ? (
        <span className={styles.visual}>
          <Visual />
        </span>
      ) : null}
      <span className={styles.words}>{children}</span>
    </button>
  )
}

export function MenuGroup({ title, children }: { title: string; children: ReactNode }): ReactNode {
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a menu
    <div role="group" aria-labelledby={id}>
      <div id={id} className={styles.title}>
        {title}
      </div>
      {children}
    </div>
  )
}

export function MenuDivider(): ReactNode {
  return <hr className={styles.divider} />
}
