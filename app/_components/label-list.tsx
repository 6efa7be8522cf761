import type { ReactNode } from 'react'
import { visibleLine } from '@/app/_lib/visible-text'
import { Label } from './label'
import styles from './label-list.module.css'

/** Labels of a runner or job. Renders nothing without labels. */
export function LabelList({ labels }: { labels: readonly string[] }): ReactNode {
  if (labels.length === 0) return null
  return (
    <ul className={styles.labels} aria-label="Labels">
      {labels.map(label => (
        <li key={label}>
          <Label variant="secondary">
            <span className={styles.text} title={visibleLine(label)}>
              {visibleLine(label)}
            </span>
          </Label>
        </li>
      ))}
    </ul>
  )
}
