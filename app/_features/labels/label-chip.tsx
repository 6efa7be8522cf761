import type { ReactNode } from 'react'
import { visibleLine } from '@/app/_lib/visible-text'
import styles from './labels.module.css'
import { textColorOn } from './text-color'

interface LabelChipProps {
  name: string
  /** Six hexadecimal digits. */
  color: string
}

/** A label in its color, which is the same in all themes. */
export function LabelChip({ name, color }: LabelChipProps): ReactNode {
  return (
    <span className={styles.chip} style={{ background: `#${color}`, color: textColorOn(color) }}>
      <bdi>{visibleLine(name)}</bdi>
    </span>
  )
}
