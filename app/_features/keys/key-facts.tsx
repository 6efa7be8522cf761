'use client'
import { CheckCircleFillIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import type { KeyPreview } from '@/server/keys/schema'
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

/** What a person calls an algorithm. */
const algorithmLabels: Record<string, string> = {
  ed25519: 'Ed25519',
  ecdsa: 'ECDSA',
  rsa: 'RSA',
  dsa: 'DSA',
  'ed25519-sk': 'Ed25519 security key',
  'ecdsa-sk': 'ECDSA security key',
}

/** Algorithm and size of a key as shown beside it, such as "RSA, 4096 bits". */
export function keyKindLabel(algorithm: string, bits: number | null): string {
  const label = algorithmLabels[algorithm] ?? algorithm
  return bits === null ? label : `${label}, ${bits} bits`
}
