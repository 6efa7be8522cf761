'use client'
import { CheckCircleFillIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import type { KeyPreview } from '@/server/keys/schema'
import { keyKindLabel } from './key-kind'
import styles from './keys.module.css'

/** What was recognized in the text, before anything is saved. */
export function KeyFacts({ preview }: { preview: KeyPreview }): ReactNode {
  const { algorithm, bits, fingerprint, comment } = preview
  return (
    <div className={styles.facts}>
      <p className={styles.good}>
        <CheckCircleFillIcon /> {keyKindLabel(algorithm, bits)}
      </p>
      <dl className={styles.list}>
        <dt>Fingerprint</dt>
        <dd>
          <code>{fingerprint}</code>
        </dd>
        {comment ? (
          <>
            <dt>Comment</dt>
            <dd>{comment}</dd>
          </>
        ) : null}
      </dl>
    </div>
  )
}
