import { type ReactNode, useId } from 'react'
import styles from './danger-zone.module.css'

/** Section for actions that are hard to undo, at the end of a page. */
export function DangerZone({ children }: { children: ReactNode }): ReactNode {
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles.zone}>
      <h2 id={id} className={styles.title}>
        Danger zone
      </h2>
      <div className={styles.frame}>{children}</div>
    </section>
  )
}

export function DangerItem({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <section className={styles.item} aria-label={title}>
      <h3 className={styles.itemTitle}>{title}</h3>
      {children}
    </section>
  )
}
