import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import styles from '@/app/_features/auth/auth.module.css'

export const metadata: Metadata = { robots: { index: false } }

export default function AuthLayout({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles.page}>{children}</div>
}
