import type { ReactNode } from 'react'
import { TextLink } from '@/app/_components/text-link'
import styles from './home.module.css'

/** What to type when git asks for a name and a password. */
export function TokenHint({ me }: { me: string }): ReactNode {
  return (
    <p className={styles.muted}>
      Git asks who you are: answer <strong>{me}</strong>, and use an access token as the password.{' '}
      <TextLink href="/user/settings/tokens?add=1" inline>
        Make an access token
      </TextLink>
    </p>
  )
}
