'use client'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import styles from './site-frame.module.css'

const worksWithout = ['/-/sign-in', '/-/sign-out']

/** Notice for browsers without JavaScript, where most pages remain empty. */
export function ScriptNotice(): ReactNode {
  if (worksWithout.includes(usePathname())) return null
  return (
    <noscript>
      <p className={styles.notice}>This page requires JavaScript. You can sign in and out without it.</p>
    </noscript>
  )
}
