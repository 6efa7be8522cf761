import { type ReactNode, type Ref, useId } from 'react'
import { AlertIcon, CheckCircleIcon, InfoIcon, StopIcon, XIcon } from '@/app/_components/icons'
import styles from './banner.module.css'
import { IconButton } from './primer'

interface BannerProps {
  title: string
  /** Shows the title to screen readers only. */
  hideTitle?: boolean
  description?: ReactNode
  variant?: keyof typeof icons
  className?: string | undefined
  ref?: Ref<HTMLElement>
  /** With -1, the banner can be focused by code. */
  tabIndex?: -1
  onDismiss?: () => void
}

const icons = {
  critical: StopIcon,
  info: InfoIcon,
  success: CheckCircleIcon,
  warning: AlertIcon,
}

/** Message about the content below it, shown until it is dismissed or resolved. */
export function Banner(props: BannerProps): ReactNode {
  const { title, hideTitle = false, description, variant = 'info', className = '', ref, tabIndex } = props
  const titleId = useId()
  const Icon = icons[variant]
  return (
    <section
      ref={ref}
      tabIndex={tabIndex}
      aria-labelledby={titleId}
      className={`${className} ${styles.banner}`}
      data-variant={variant}
    >
      <Icon className={styles.icon} />
      <div className={styles.content}>
        <h2 id={titleId} className={hideTitle ? 'visually-hidden' : styles.title}>
          {title}
        </h2>
        {description ? <div>{description}</div> : null}
      </div>
      {props.onDismiss ? (
        <IconButton
          aria-label="Dismiss banner"
          icon={XIcon}
          size="small"
          variant="invisible"
          onClick={props.onDismiss}
        />
      ) : null}
    </section>
  )
}
