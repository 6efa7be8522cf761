import NextLink from 'next/link'
import type { ReactNode } from 'react'
import styles from './site-footer.module.css'

export function SiteFooter({ version }: { version: string }): ReactNode {
  return (
    <footer className={styles.footer}>
      <span>Guildhall {version}</span>
      {/* The viewer behind it is heavy; few who pass by open it. */}
      <NextLink href="/api/docs" prefetch={false} className={styles.link}>
        API documentation
      </NextLink>
    </footer>
  )
}
