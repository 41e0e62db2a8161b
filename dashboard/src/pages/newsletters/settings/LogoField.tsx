import { TextInput } from '@mantine/core';
import { Images } from 'lucide-react';
import { useState } from 'react';
import { useWhyNot } from '../../../api/session.ts';
import { shownAddress } from '../../../lib/mail/own-picture.ts';
import type { ApiForm } from '../../../lib/use-api-form.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { PictureDialog } from '../../../ui/pictures/PictureDialog.tsx';
import classes from '../newsletters.module.css';
import { pictureStore } from '../../../api/picture-store.ts';
import type { NewsletterValues } from './newsletter-form.ts';

/** An address, or a picture that this server keeps. */
export function LogoField({ fields }: { fields: ApiForm<NewsletterValues>['fields'] }) {
  const whyNot = useWhyNot('issues:write');
  const [isChoosing, setChoosing] = useState(false);
  const address = fields.values.logo_url.trim();
  const shown = shownAddress(address);
  return (
    <div>
      <TextInput
        label="Logo"
        description="Upload a picture, or give the address of one, beginning with https."
        placeholder="https://cdn.example.com/logo.png"
        {...fields.getInputProps('logo_url')}
      />
      <div className={classes['logo']}>
        {/* The policy of the page loads pictures of this server only. */}
        {shown !== address && <img src={shown} alt="The logo" />}
        <ActionButton
          variant="default"
          size="xs"
          leftSection={<Images size={14} aria-hidden />}
          disabledReason={whyNot}
          onClick={() => setChoosing(true)}
        >
          Upload or choose
        </ActionButton>
      </div>
      <PictureDialog
        opened={isChoosing}
        store={pictureStore}
        onClose={() => setChoosing(false)}
        onChoose={({ src }) => {
          fields.setFieldValue('logo_url', src);
          setChoosing(false);
        }}
      />
    </div>
  );
}
