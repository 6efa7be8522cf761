import NextLink from 'next/link'
import type { ReactNode } from 'react'
import styles from './site-footer.module.css'

export function SiteFooter({ version }: { version: string }): ReactNode {
  return (
    <footer className={styles.footer}>
      <span>Guildhall {version}</span>
      <NextLink href="/api/docs" className={styles.link}>
        API documentation
      </NextLink>
    </footer>
  )
}
