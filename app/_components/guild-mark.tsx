import type { ReactNode } from 'react'

/** The logo, the stepped gable of a guild hall. Decorative, next to the name. */
export function GuildMark({ size = 28 }: { size?: number }): ReactNode {
  return (
    <svg width={size} height={size} viewBox="6 3 28 31" aria-hidden="true" fill="var(--guild-text)">
      <path
        fillRule="evenodd"
        d="M19.6 4.5h4.6l-1.2 1.4 1.2 1.4h-3.5V10h.9v3.5h3.2v3.9h4v3.9h4V33H7.2V21.3h4v-3.9h4v-3.9h3.2V10h1.2ZM20 17.2a2.1 2.1 0 1 0 0 4.2 2.1 2.1 0 0 0 0-4.2ZM17 33v-4.8a3 3 0 0 1 6 0V33ZM10.4 24.6v4h3v-4Zm16.2 0v4h3v-4Z"
      />
    </svg>
  )
}
