// Decodes a small image: blocks of bytes, codes of growing width out of them, a dictionary of
// strings as LZW builds it, and pixels written line by line, straight or interlaced. N bytes.
#include "labrys.h"

#ifndef N
#define N 5
#endif

enum {
    MOST_WIDTH = 2,
    MOST_HEIGHT = 2,
    LEAST_BITS = 2,
    MOST_BITS = 3,
    CODES = 1 << (MOST_BITS + 1),
    STACK = 2 * CODES,
    CLEAR = 1 << LEAST_BITS,
    END = CLEAR + 1
};

enum outcome {
    COMPLETE,
    CUT_OFF,
    BAD_SIZE,
    BAD_BITS,
    BAD_CODE,
    BAD_COLOUR,
    STACK_FULL,
    TOO_MANY_PIXELS
};

struct stream {
    const unsigned char *bytes;
    int size;
    int at;
    /* Bytes that are left in the current block. */
    int block;
    /* Bits that were read and not used yet. */
    unsigned bits;
    int bit_count;
};

struct dictionary {
    /* A code stands for the string of its prefix and one more colour. */
    int prefix[CODES];
    unsigned char suffix[CODES];
    int width;
    int free;
    int first;
    int old;
};

struct stack {
    unsigned char colours[STACK];
    int used;
};

struct image {
    unsigned char pixels[MOST_HEIGHT][MOST_WIDTH];
    int width;
    int height;
    int colours;
    int interlaced;
    int x;
    int y;
    int pass;
    int written;
};

static int read_byte(struct stream *stream) {
    int byte;
    if (stream->at >= stream->size)
        return -1;
    byte = stream->bytes[stream->at];
    stream->at++;
    return byte;
}

/* The next byte of the blocks; each begins with its size, and an empty one is the last. */
static int read_block_byte(struct stream *stream) {
    if (stream->block == 0) {
        int size = read_byte(stream);
        if (size <= 0)
            return -1;
        stream->block = size;
    }
    stream->block--;
    return read_byte(stream);
}

/* The next code of so many bits, or -1. */
static int read_code(struct stream *stream, int width) {
    int code;
    while (stream->bit_count < width) {
        int byte = read_block_byte(stream);
        if (byte < 0)
            return -1;
        stream->bits |= (unsigned)byte << stream->bit_count;
        stream->bit_count += 8;
    }
    code = (int)(stream->bits & ((1u << width) - 1));
    stream->bits >>= width;
    stream->bit_count -= width;
    return code;
}

static void clear_dictionary(struct dictionary *dictionary) {
    int i;
    for (i = 0; i < CODES; i++) {
        dictionary->prefix[i] = 0;
        dictionary->suffix[i] = (unsigned char)(i < CLEAR ? i : 0);
    }
    dictionary->width = LEAST_BITS + 1;
    dictionary->free = END + 1;
    dictionary->first = 0;
    dictionary->old = -1;
}

/* Enters a string; the width grows when the codes of the present one are used up. */
static void enter(struct dictionary *dictionary, int prefix, int suffix) {
    if (dictionary->free >= CODES)
        return;
    dictionary->prefix[dictionary->free] = prefix;
    dictionary->suffix[dictionary->free] = (unsigned char)suffix;
    dictionary->free++;
    if (dictionary->free == 1 << dictionary->width && dictionary->width <= MOST_BITS)
        dictionary->width++;
}

static enum outcome push(struct stack *stack, int colour) {
    if (stack->used >= STACK)
        return STACK_FULL;
    stack->colours[stack->used] = (unsigned char)colour;
    stack->used++;
    return COMPLETE;
}

/* Puts the string of a code on the stack, last colour first. */
static enum outcome expand(struct dictionary *dictionary, int code, struct stack *stack) {
    enum outcome outcome;
    int given = code;
    if (dictionary->old < 0) {
        if (code >= CLEAR)
            return BAD_CODE;
        dictionary->first = code;
        dictionary->old = code;
        return push(stack, code);
    }
    if (code >= dictionary->free) {
        if (code > dictionary->free)
            return BAD_CODE;
        outcome = push(stack, dictionary->first);
        if (outcome != COMPLETE)
            return outcome;
        code = dictionary->old;
    }
    while (code > END) {
        outcome = push(stack, dictionary->suffix[code]);
        if (outcome != COMPLETE)
            return outcome;
        if (code == dictionary->prefix[code])
            return BAD_CODE;
        code = dictionary->prefix[code];
    }
    dictionary->first = code;
    outcome = push(stack, code);
    if (outcome != COMPLETE)
        return outcome;
    enter(dictionary, dictionary->old, dictionary->first);
    dictionary->old = given;
    return COMPLETE;
}

/* The line after this one: every line, or in interlaced order first the even ones. */
static void next_line(struct image *image) {
    image->x = 0;
    if (!image->interlaced) {
        image->y++;
        return;
    }
    image->y += 2;
    if (image->y >= image->height && image->pass == 0) {
        image->pass = 1;
        image->y = 1;
    }
}

static enum outcome write_pixel(struct image *image, int colour) {
    if (colour >= image->colours)
        return BAD_COLOUR;
    if (image->y >= image->height)
        return TOO_MANY_PIXELS;
    image->pixels[image->y][image->x] = (unsigned char)colour;
    image->written++;
    image->x++;
    if (image->x == image->width)
        next_line(image);
    return COMPLETE;
}

static int is_full(const struct image *image) {
    return image->written == image->width * image->height;
}

/* Reads the descriptor: width and height in two bits each, a flag, the bits of a colour. */
static enum outcome read_descriptor(struct stream *stream, struct image *image) {
    int byte = read_byte(stream);
    int bits;
    if (byte < 0)
        return CUT_OFF;
    image->width = byte & 3;
    image->height = byte >> 2 & 3;
    image->interlaced = byte >> 4 & 1;
    bits = byte >> 5;
    if (image->width == 0 || image->height == 0)
        return BAD_SIZE;
    if (image->width > MOST_WIDTH || image->height > MOST_HEIGHT)
        return BAD_SIZE;
    if (bits < 1 || bits > LEAST_BITS)
        return BAD_BITS;
    image->colours = 1 << bits;
    image->x = 0;
    image->y = 0;
    image->pass = 0;
    image->written = 0;
    return COMPLETE;
}

/* Decodes the codes until the image is full or they end. */
static enum outcome decode(struct stream *stream, struct image *image) {
    struct dictionary dictionary;
    struct stack stack;
    enum outcome outcome;
    int code;
    clear_dictionary(&dictionary);
    stack.used = 0;
    while (!is_full(image)) {
        code = read_code(stream, dictionary.width);
        if (code < 0)
            return CUT_OFF;
        if (code == CLEAR) {
            clear_dictionary(&dictionary);
            continue;
        }
        if (code == END)
            return CUT_OFF;
        outcome = expand(&dictionary, code, &stack);
        if (outcome != COMPLETE)
            return outcome;
        while (stack.used > 0) {
            stack.used--;
            outcome = write_pixel(image, stack.colours[stack.used]);
            if (outcome != COMPLETE)
                return outcome;
        }
    }
    return COMPLETE;
}

/* How many pixels have the colour that the first one has. */
static int like_the_first(const struct image *image) {
    int x, y, count = 0;
    for (y = 0; y < image->height; y++) {
        for (x = 0; x < image->width; x++) {
            if (image->pixels[y][x] == image->pixels[0][0])
                count++;
        }
    }
    return count;
}

enum outcome read_image(const unsigned char *bytes, int size, struct image *image) {
    struct stream stream = {0, 0, 0, 0, 0, 0};
    enum outcome outcome;
    stream.bytes = bytes;
    stream.size = size;
    outcome = read_descriptor(&stream, image);
    if (outcome != COMPLETE)
        return outcome;
    return decode(&stream, image);
}

int main(void) {
    unsigned char bytes[N];
    struct image image;
    enum outcome outcome;
    labrys_symbolic(bytes, sizeof bytes, "bytes");
    outcome = read_image(bytes, N, &image);
    if (outcome != COMPLETE)
        return (int)outcome;
    return 16 + like_the_first(&image);
}
