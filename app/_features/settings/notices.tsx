'use client'
import type { ReactNode } from 'react'
import { Banner } from '@/app/_components/primer'
import styles from './settings.module.css'

export function MustChangeNotice(): ReactNode {
  return (
    <Banner
      className={styles.notice}
      variant="warning"
      title="Choose a new password first"
      description="Somebody else has set your current password. Choose one that only you know. Until then you can look at what is public, and nothing else."
    />
  )
}

export function PasswordElsewhere(): ReactNode {
  return (
    <Banner
      variant="info"
      title="Your password is kept elsewhere"
      description="You sign in with an account of another service. Change the password there."
    />
  )
}
