import type { ComponentProps, ReactNode } from 'react'
import styles from './select.module.css'

interface SelectProps extends Omit<ComponentProps<'select'>, 'size' | 'className' | 'aria-invalid'> {
  /** Takes the width of its container. */
  block?: boolean
  size?: 'small' | 'medium'
  validationStatus?: 'error'
}

/** Looks like the UI kit's, whose HTML is several times as long. */
export function Select({ block, size, validationStatus, ...select }: SelectProps): ReactNode {
  return (
    <span
      className={styles.box}
      data-block={block || undefined}
      data-size={size === 'small' ? size : undefined}
    >
      <select
        {...select}
        aria-invalid={validationStatus === 'error' || undefined}
        className={styles.select}
      />
    </span>
  )
}
