/** What a team reaches beside its permissions, as its forms say it. */
export const scopeLabels = {
  all: {
    label: 'All repositories of the organization',
    caption: 'Those there are now, and every one made later.',
  },
  create: {
    label: 'Members may create repositories in the organization',
    caption: 'Whoever creates one administers it.',
  },
} as const
