import type { ReactNode } from 'react'
import styles from './auth.module.css'

export default function AuthLayout({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles.page}>{children}</div>
}
