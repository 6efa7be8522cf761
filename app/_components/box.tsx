import type { ReactNode } from 'react'
import styles from './box.module.css'
import { QuietLink } from './links'

interface ListBoxProps {
  title: string
  /** Number of items in the whole list, including other pages. */
  total: number
  /** Action that applies to all items. */
  action?: ReactNode
  children: ReactNode
}

/** A bordered list with its own heading. */
export function ListBox({ title, total, action, children }: ListBoxProps): ReactNode {
  return (
    <section className={styles.box} aria-label={title}>
      <div className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        <span className={styles.count}>{total.toLocaleString('en-US')}</span>
        {action ? <div className={styles.forAll}>{action}</div> : null}
      </div>
      <ul>{children}</ul>
    </section>
  )
}

/** A bordered list without a heading. */
export function ListFrame({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <ul className={styles.frame} aria-label={label}>
      {children}
    </ul>
  )
}

interface ListRowProps {
  /** Checkbox that selects the row. */
  check?: ReactNode
  visual: ReactNode
  children: ReactNode
  action?: ReactNode
  /** Whether the viewer has just added the row, which then takes the focus. */
  isNew?: boolean
}

export function ListRow({ check, visual, children, action, isNew = false }: ListRowProps): ReactNode {
  return (
    <li className={styles.row} ref={isNew ? focus : undefined}>
      {check ? <div className={styles.check}>{check}</div> : null}
      <div className={styles.visual}>{visual}</div>
      <div className={styles.main}>{children}</div>
      {action ? <div className={styles.action}>{action}</div> : null}
    </li>
  )
}

// The row remains focusable even after it is no longer new.
function focus(row: HTMLElement | null): void {
  if (!row) return
  row.tabIndex = -1
  row.focus()
}

interface RowTitleProps {
  name: string
  href?: string
  children?: ReactNode
}

/** Title of a row: a name with labels next to it. */
export function RowTitle({ name, href, children }: RowTitleProps): ReactNode {
  return (
    <div className={styles.rowTitle}>
      <strong className={styles.name}>
        <bdi>{href ? <QuietLink href={href}>{name}</QuietLink> : name}</bdi>
      </strong>
      {children}
    </div>
  )
}

/** Short facts below a name, separated by dots. */
export function RowFacts({ children }: { children: ReactNode }): ReactNode {
  return <p className={styles.facts}>{children}</p>
}

/** A bordered form above a list. */
export function Panel({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <section className={styles.panel} aria-label={title}>
      <h2 className={styles.panelTitle}>{title}</h2>
      {children}
    </section>
  )
}
