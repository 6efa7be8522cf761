import { whyPage } from '@/app/_features/hooks/pages/why-page'
import { placeOfOrg } from '@/app/_features/hooks/places'

export const metadata = { title: 'Events for webhooks' }

export default whyPage(placeOfOrg)
